class PolicyUser < ApplicationRecord
  belongs_to :directory_user
  belongs_to :policy_ruleset, foreign_key: :ruleset_id
  belongs_to :policy_rule, foreign_key: :rule_id

  # Staged users are left out of the manifest until they are active.
  scope :manifest, -> { where(state: %w[active expiring]) }
  scope :staged, -> { where(state: "staged") }
end
