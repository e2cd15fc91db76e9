class WorkspaceRole < ApplicationRecord
  acts_as_paranoid

  belongs_to :workspace_user
end
