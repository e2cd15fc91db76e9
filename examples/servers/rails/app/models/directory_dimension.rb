class DirectoryDimension < ApplicationRecord
  include Filterable
  include Expirable
  include Counted
  acts_as_paranoid

  RELATIONS = { "attributes" => :directory_attributes }.freeze

  # ActiveRecord keeps the name "attributes" for itself.
  has_many :directory_attributes

  self.implicit_order_column = "created_at"
  self.sort_fields = %w[id state name handle created_at updated_at activated_at expires_at deleted_at]
  self.counted_relations = { directory_attributes: :directory_attributes }

  filter_exact :id, :state, :name, :handle
  filter_partial :id, :name, :handle
  filter_dates created: :created_at, updated: :updated_at, expires: :expires_at, deleted: :deleted_at
end
