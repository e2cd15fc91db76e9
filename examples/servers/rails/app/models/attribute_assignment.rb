class AttributeAssignment < ApplicationRecord
  belongs_to :directory_user
  belongs_to :directory_attribute
end
