module Directory
  class AttributesController < ApplicationController
    def index = render_list(list(DirectoryAttribute))

    def show = render_record(find(DirectoryAttribute.all))

    def deprecate
      attribute = find(DirectoryAttribute.all)
      deprecation = AttributeDeprecation.new(directory_attribute: attribute, **body_values(:expires_at, :expires_after_days))
      deprecation.save ? render_record(attribute) : render_errors(deprecation.errors)
    end
  end
end
