# The short forms which stand inside `included`.
class SummarySerializer
  FIELDS = {
    "DirectoryUser" => %i[id state manager_id is_manager full_name email username org metadata],
    "WorkspaceUser" => %i[id state provider provider_id name handle email],
    "WorkspaceIntegration" => %i[id is_primary vendor handle domain],
    "DirectoryAttribute" => %i[id state type name handle profile_value],
    "DirectoryIdentity" => %i[
      id workspace_integration_id directory_user_id integration_vendor integration_handle vendor_id full_name email org state
    ],
    "PolicyCondition" => %i[
      id is_imported type ruleset_id rule_id resource_id profile_key profile_operator profile_value description
    ],
    "PolicyRule" => %i[
      id state role_name role_handle is_imported description expires_after_days expires_after_days_inherited priority
    ],
    "PolicyRuleset" => %i[id state type resource_id is_authoritative expires_after_days],
    "PolicyUser" => %i[id state timestamp included]
  }.freeze

  def initialize(record)
    @record = record
  end

  def as_json(*) = FIELDS.fetch(@record.class.name).index_with { |name| value(name) }.as_json

  private

  def value(name)
    case name
    when :timestamp then %i[created_at updated_at activated_at expires_at deleted_at].index_with { |time| @record[time] }
    when :included
      %i[directory_user policy_ruleset policy_rule].index_with { |relation| self.class.new(@record.public_send(relation)) }
    else @record.public_send(name)
    end
  end
end
