module Directory
  class DimensionsController < ApplicationController
    def index = render_list(list(DirectoryDimension))

    def show = render_record(find(DirectoryDimension.all))
  end
end
