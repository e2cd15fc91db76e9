class WorkspaceUser < ApplicationRecord
  include Filterable
  include Expirable
  acts_as_paranoid

  STATES = %w[staged active expiring expired deactivated].freeze
  PROVIDERS = %w[consumer_account_idp native_idp workforce_idp].freeze

  belongs_to :directory_user, optional: true
  has_many :workspace_roles, dependent: :destroy

  validates :state, inclusion: { in: STATES }
  validates :provider, inclusion: { in: PROVIDERS }

  self.implicit_order_column = "created_at"
  self.sort_fields = %w[
    id state provider name handle email created_at updated_at expires_at last_authenticated_at last_activity_at deleted_at
  ]

  filter_exact :id, :state, :provider, :provider_id, :name, :handle, :email, :directory_user_id
  filter_partial :id, :name, :handle, :email
  filter_dates created: :created_at, updated: :updated_at, expires: :expires_at, deleted: :deleted_at

  def counts = { workspace_roles: workspace_roles.length }.merge(other_counts)
end
