class DirectoryUser < ApplicationRecord
  include Filterable
  include Expirable
  include Counted
  acts_as_paranoid

  STATES = %w[staged active expiring expired suspended deactivated].freeze
  RELATIONS = %w[
    manager-user workspace-user parent-user secondary-users direct-report-users workspace-integration
    directory-identities policy-conditions policy-users policy-rules-manifest policy-rules-qualified
    policy-rules-staged policy-rulesets
  ].index_with { |name| name.underscore.to_sym }.freeze

  belongs_to :workspace_integration
  belongs_to :manager_user, class_name: "DirectoryUser", foreign_key: :manager_id, optional: true
  belongs_to :parent_user, class_name: "DirectoryUser", foreign_key: :parent_id, optional: true
  has_many :direct_report_users, class_name: "DirectoryUser", foreign_key: :manager_id
  has_many :secondary_users, class_name: "DirectoryUser", foreign_key: :parent_id
  has_one :workspace_user
  has_many :directory_identities, -> { preload(:workspace_integration) }
  has_many :attribute_assignments
  has_many :directory_attributes, through: :attribute_assignments
  has_many :policy_conditions, through: :directory_attributes, source: :attribute_conditions
  has_many :policy_users, -> { preload(:directory_user, :policy_ruleset, :policy_rule) }
  has_many :manifest_policy_users, -> { manifest }, class_name: "PolicyUser"
  has_many :staged_policy_users, -> { staged }, class_name: "PolicyUser"
  has_many :policy_rulesets, -> { distinct }, through: :policy_users
  has_many :policy_rules_qualified, through: :policy_users, source: :policy_rule
  has_many :policy_rules_manifest, through: :manifest_policy_users, source: :policy_rule
  has_many :policy_rules_staged, through: :staged_policy_users, source: :policy_rule

  validates :state, inclusion: { in: STATES }

  self.implicit_order_column = "created_at"
  self.sort_fields = %w[
    id state first_name last_name full_name email username badge_id employee_id employee_alt_id
    created_at updated_at expires_at deactivated_at deleted_at provisioned_at deprovisioned_at
  ]
  self.counted_relations = {
    secondary_users: :secondary_users, direct_report_users: :direct_report_users,
    directory_identities: :directory_identities, directory_attributes: :directory_attributes,
    policy_conditions: :policy_conditions, policy_users: :policy_users, policy_rulesets: :policy_rulesets,
    manifest_rules: :policy_rules_manifest, qualified_rules: :policy_rules_qualified, staged_rules: :policy_rules_staged
  }

  SEARCHABLE = %i[id first_name last_name full_name email username badge_id employee_id employee_alt_id].freeze

  filter_exact(*SEARCHABLE, :state, :workspace_integration_id, :parent_id, :manager_id)
  filter_partial(*SEARCHABLE)
  filter_json_values :org, :metadata
  filter_dates created: :created_at, updated: :updated_at, expires: :expires_at, deactivated: :deactivated_at,
               deleted: :deleted_at, provisioned: :provisioned_at, deprovisioned: :deprovisioned_at
  # The end date of those users whose time is over.
  filter(:expired_before) { |value| where(state: "expired").filter_by_expires_before(value) }
  filter(:expired_after) { |value| where(state: "expired").filter_by_expires_after(value) }
  filter(:manager) do |value|
    boolean(value) ? where("direct_report_users_count > 0") : where(direct_report_users_count: 0)
  end
  filter(:deprovisioned_pending_deactivation) do |value|
    where(state: "active").where.not(deprovisioned_at: nil) if boolean(value)
  end

  def self.boolean(value) = ActiveModel::Type::Boolean.new.cast(value)

  def self.expired_attributes = super.merge(deactivated_at: Time.current)
  private_class_method :expired_attributes

  def is_manager = direct_report_users_count.positive?

  def counts = relation_counts.merge(log_counts, external_counts)
end
