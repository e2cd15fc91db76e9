require "puma/plugin"

# Says where the API is, once the server answers.
Puma::Plugin.create do
  def start(launcher)
    launcher.events.on_booted do
      puts "listening on http://127.0.0.1:#{ENV.fetch("PORT", 8000)}/api/v1"
      $stdout.flush
    end
  end
end
