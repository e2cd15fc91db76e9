require_relative "seeds/names"
require_relative "seeds/chance"
require_relative "seeds/directory"
require_relative "seeds/policies"
require_relative "seeds/workspace"

# The same seed (and day) gives the same data.
chance = Chance.new(ENV.fetch("SEED", 1).to_i)

ActiveRecord::Base.transaction do
  directory = Seeds::Directory.new(chance)
  directory.create_integrations
  directory.create_dimensions
  directory.create_users(ENV.fetch("USERS", 200).to_i)
  Seeds::Policies.new(chance).create
  Seeds::Workspace.new(chance).create
  [DirectoryUser, DirectoryAttribute, DirectoryDimension].each(&:refresh_counts)
end
