require "fileutils"

environment "production"
bind "tcp://127.0.0.1:#{ENV.fetch("PORT", 8000)}"
threads 1, ENV.fetch("RAILS_MAX_THREADS", 3).to_i
plugin :listening

# The database lives as long as the server.
at_exit { FileUtils.rm_rf(ENV["DATABASE_DIR"]) if ENV["DATABASE_DIR"] }
