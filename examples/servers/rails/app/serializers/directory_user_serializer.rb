class DirectoryUserSerializer < ApplicationSerializer
  def as_json(*)
    {
      **fields(:id, :state, :manager_id, :is_manager, :first_name, :last_name, :full_name, :email, :username,
               :badge_id, :employee_id, :employee_alt_id),
      timestamp: fields(:created_at, :updated_at, :deleted_at, :expires_at, :provisioned_at, :deprovisioned_at),
      **fields(:org, :metadata),
      count: record.counts,
      included: included,
      links: links
    }.as_json
  end

  private

  def links
    itself = "#{api_root}/directory/users/#{record.id}"
    {
      self: itself,
      workspace_user: "#{api_root}/workspace/users?filter[directory_user_id]=#{record.id}",
      workspace_integration: "#{api_root}/workspace/integrations/#{record.workspace_integration_id}",
      secondary_users: "#{api_root}/directory/users?filter[parent_id]=#{record.id}",
      direct_report_users: "#{api_root}/directory/users?filter[manager_id]=#{record.id}",
      directory_identities: "#{itself}/directory_identities",
      **%i[parent record related subject].to_h { |role| [:"workspace_logs_#{role}", "#{itself}/workspace_logs/#{role}"] }
    }
  end
end
