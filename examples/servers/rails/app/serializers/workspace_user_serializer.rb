class WorkspaceUserSerializer < ApplicationSerializer
  LINKED = %i[directory_user workspace_devices workspace_roles workspace_services workspace_tokens].freeze

  def as_json(*)
    itself = "#{api_root}/workspace/users/#{record.id}"
    {
      **fields(:id, :state, :provider, :provider_id, :name, :handle, :email, :ui_mode, :ui_color),
      # Microseconds here; Rails writes milliseconds otherwise.
      timestamp: fields(:created_at, :updated_at, :expires_at, :last_authenticated_at, :last_activity_at, :deleted_at)
        .transform_values { |time| time&.iso8601(6) },
      count: record.counts,
      included: [],
      links: { self: itself, **LINKED.index_with { |relation| "#{itself}/#{relation}" } }
    }.as_json
  end
end
