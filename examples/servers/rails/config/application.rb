require_relative "boot"

require "rails"
require "active_record/railtie"
require "action_controller/railtie"

Bundler.require(*Rails.groups)

module DirectoryServer
  class Application < Rails::Application
    config.load_defaults 6.1
    config.api_only = true
    config.eager_load = true
    config.consider_all_requests_local = false

    config.cache_store = :memory_store, { compress: false }
    config.active_record.dump_schema_after_migration = false

    # One line for each request would slow the server down; warnings stay.
    config.log_level = :fatal
    config.logger = ActiveSupport::Logger.new($stderr)

    config.secret_key_base = SecureRandom.hex(64)
    config.x.access_token = ENV.fetch("TOKEN", "secret")
  end
end
