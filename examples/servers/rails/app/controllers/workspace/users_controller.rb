module Workspace
  class UsersController < ApplicationController
    def index = render_list(list(WorkspaceUser.preload(:workspace_roles)))

    def show = render_record(find(WorkspaceUser.all))

    def restore
      user = find(WorkspaceUser.with_deleted)
      restoration = WorkspaceUserRestoration.new(workspace_user: user, **body_values(:roles))
      restoration.save ? render_record(user) : render_errors(restoration.errors)
    end
  end
end
