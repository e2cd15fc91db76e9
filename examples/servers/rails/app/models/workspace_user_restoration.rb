# PATCH /workspace/users/:id/restore
class WorkspaceUserRestoration
  include ActiveModel::Model

  attr_accessor :workspace_user, :roles

  # Not `inclusion`: that also accepts a list of allowed values.
  validate { errors.add(:roles, "must be true or false") unless roles == true || roles == false }

  # With roles, the roles that were deleted together with the user come back too.
  def save
    return false if invalid?

    workspace_user.transaction do
      workspace_user.restore(recursive: roles)
      workspace_user.update!(state: "active", expires_at: nil)
    end
  end
end
