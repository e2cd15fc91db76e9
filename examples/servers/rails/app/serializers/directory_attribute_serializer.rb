class DirectoryAttributeSerializer < ApplicationSerializer
  LINKED = %i[
    attribute_conditions workspace_integration policy_ruleset policy_rules manifest_users qualified_users staged_users
  ].freeze

  def as_json(*)
    itself = "#{api_root}/directory/attributes/#{record.id}"
    {
      **fields(:id, :state, :type, :name, :handle, :blueprint_signature, :profile_value),
      timestamp: fields(:created_at, :updated_at, :activated_at, :expires_at, :deleted_at),
      count: record.counts,
      included: [],
      links: {
        self: itself,
        directory_dimension: "#{api_root}/directory/dimensions/#{record.directory_dimension_id}",
        **LINKED.index_with { |relation| "#{itself}/#{relation}" }
      }
    }.as_json
  end
end
