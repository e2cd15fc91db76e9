class DirectoryAttribute < ApplicationRecord
  include Filterable
  include Expirable
  include Counted
  acts_as_paranoid

  STATES = %w[staged active expiring expired deactivated].freeze
  TYPES = %w[integration ruleset catch].freeze

  belongs_to :directory_dimension
  belongs_to :workspace_integration, optional: true
  belongs_to :attribute_successor, class_name: "DirectoryAttribute", foreign_key: :successor_id, optional: true
  has_many :attribute_predecessors, class_name: "DirectoryAttribute", foreign_key: :successor_id
  has_many :attribute_conditions, class_name: "PolicyCondition", foreign_key: :resource_id
  has_one :policy_ruleset, foreign_key: :resource_id
  has_many :policy_rules, through: :policy_ruleset
  has_many :policy_users, through: :policy_ruleset
  has_many :manifest_policy_users, through: :policy_ruleset
  has_many :staged_policy_users, through: :policy_ruleset
  has_many :qualified_users, -> { distinct }, through: :policy_users, source: :directory_user
  has_many :manifest_users, -> { distinct }, through: :manifest_policy_users, source: :directory_user
  has_many :staged_users, -> { distinct }, through: :staged_policy_users, source: :directory_user

  validates :state, inclusion: { in: STATES }
  validates :type, inclusion: { in: TYPES }

  self.implicit_order_column = "created_at"
  self.sort_fields = %w[id state type name handle profile_value created_at updated_at activated_at expires_at deleted_at]
  self.counted_relations = %i[
    attribute_conditions attribute_predecessors policy_rules manifest_users qualified_users staged_users
  ].index_with(&:itself)

  filter_exact :id, :state, :type, :name, :handle, :profile_value, :directory_dimension_id, :workspace_integration_id
  filter_partial :id, :name, :handle, :profile_value
  filter_dates created: :created_at, updated: :updated_at, expires: :expires_at, deleted: :deleted_at

  def counts = relation_counts.merge(log_counts)
end
