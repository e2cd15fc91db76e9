class PolicyRuleset < ApplicationRecord
  has_many :policy_rules, foreign_key: :ruleset_id
  has_many :policy_users, foreign_key: :ruleset_id
  has_many :manifest_policy_users, -> { manifest }, class_name: "PolicyUser", foreign_key: :ruleset_id
  has_many :staged_policy_users, -> { staged }, class_name: "PolicyUser", foreign_key: :ruleset_id
end
