class DirectoryIdentity < ApplicationRecord
  belongs_to :workspace_integration

  delegate :vendor, :handle, to: :workspace_integration, prefix: :integration
end
