module Directory
  class UsersController < ApplicationController
    def index = render_list(list(DirectoryUser))

    def show = render_record(find(DirectoryUser.all))
  end
end
