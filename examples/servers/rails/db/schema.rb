# Directory tables keep milliseconds, the precision which Rails shows in JSON.
ActiveRecord::Schema.define(version: 2024_05_06_120000) do
  create_table :workspace_integrations, id: :string do |t|
    t.boolean :is_primary, null: false
    t.string :vendor, :handle, :domain, null: false
  end

  create_table :directory_users, id: :string do |t|
    t.string :state, null: false
    t.string :workspace_integration_id, null: false, index: true
    t.string :manager_id, index: true
    t.string :parent_id, index: true
    t.string :first_name, :last_name, :full_name, :email, :username, null: false
    t.string :badge_id, :employee_id, :employee_alt_id
    t.datetime :expires_at, :deactivated_at, :deleted_at, :provisioned_at, :deprovisioned_at, precision: 3
    t.timestamps precision: 3
    t.json :org, :metadata, null: false, default: {}
    t.json :log_counts, :external_counts, null: false, default: {}
    t.integer :secondary_users_count, :direct_report_users_count, :directory_identities_count,
              :directory_attributes_count, :policy_conditions_count, :policy_users_count,
              :policy_rulesets_count, :manifest_rules_count, :qualified_rules_count,
              :staged_rules_count, null: false, default: 0
    t.index %i[state expires_at]
  end

  create_table :directory_identities, id: :string do |t|
    t.string :workspace_integration_id, null: false
    t.string :directory_user_id, null: false, index: true
    t.string :vendor_id, :full_name, :email, :state, null: false
    t.json :org, null: false, default: {}
  end

  create_table :directory_dimensions, id: :string do |t|
    t.string :state, :name, :handle, null: false
    t.datetime :activated_at, :expires_at, :deleted_at, precision: 3
    t.timestamps precision: 3
    t.integer :directory_attributes_count, null: false, default: 0
  end

  create_table :directory_attributes, id: :string do |t|
    t.string :directory_dimension_id, null: false, index: true
    t.string :workspace_integration_id
    t.string :successor_id, index: true
    t.string :state, :type, :name, :handle, null: false
    t.string :blueprint_signature, :profile_value
    t.datetime :activated_at, :expires_at, :deleted_at, precision: 3
    t.timestamps precision: 3
    t.json :log_counts, null: false, default: {}
    t.integer :attribute_conditions_count, :attribute_predecessors_count, :policy_rules_count,
              :manifest_users_count, :qualified_users_count, :staged_users_count,
              null: false, default: 0
    t.index %i[state expires_at]
  end

  # The attributes which a directory user has; `org` is derived from them.
  create_table :attribute_assignments do |t|
    t.string :directory_user_id, null: false, index: true
    t.string :directory_attribute_id, null: false, index: true
  end

  create_table :policy_rulesets, id: :string do |t|
    t.string :state, :type, null: false
    t.string :resource_id, null: false, index: true
    t.boolean :is_authoritative, null: false
    t.integer :expires_after_days, null: false
  end

  create_table :policy_rules, id: :string do |t|
    t.string :ruleset_id, null: false, index: true
    t.string :state, :role_name, :role_handle, :description, null: false
    t.boolean :is_imported, :expires_after_days_inherited, null: false
    t.integer :expires_after_days, :priority, null: false
  end

  create_table :policy_conditions, id: :string do |t|
    t.string :ruleset_id, :rule_id, :resource_id, null: false, index: true
    t.boolean :is_imported, null: false
    t.string :type, :profile_key, :profile_operator, :profile_value, :description, null: false
  end

  # A directory user who meets the conditions of a rule.
  create_table :policy_users, id: :string do |t|
    t.string :directory_user_id, :ruleset_id, :rule_id, null: false, index: true
    t.string :state, null: false
    t.datetime :activated_at, :expires_at, :deleted_at, precision: 3
    t.timestamps precision: 3
  end

  create_table :workspace_users, id: :string do |t|
    t.string :directory_user_id, index: true
    t.string :state, :provider, :name, :handle, :email, null: false
    t.string :provider_id, :ui_mode, :ui_color
    t.datetime :expires_at, :last_authenticated_at, :last_activity_at, :deleted_at, precision: 6
    t.timestamps precision: 6
    t.json :other_counts, null: false, default: {}
    t.index %i[state expires_at]
  end

  create_table :workspace_roles do |t|
    t.string :workspace_user_id, null: false, index: true
    t.string :name, null: false
    t.datetime :deleted_at, precision: 6
    t.timestamps precision: 6
  end
end
