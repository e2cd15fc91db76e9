module Seeds
  # Rulesets of attributes, their rules and conditions, and the users who meet them.
  class Policies
    ROLES = ["Reader", "Contributor", "Maintainer", "Administrator", "Auditor"].freeze

    attr_reader :chance

    def initialize(chance)
      @chance = chance
      @dimensions = DirectoryDimension.all.index_by(&:handle)
      @holders = AttributeAssignment.all.group_by(&:directory_attribute_id)
                                    .transform_values { |assignments| assignments.map(&:directory_user_id) }
    end

    def create
      of_dimension("department").each { |attribute| create_ruleset(attribute) { [attribute, *maybe(second_attribute)] } }
      of_dimension("access_group").each { |attribute| create_ruleset(attribute) { [chance.pick(of_dimension("title")), *maybe(second_attribute)] } }
    end

    private

    def of_dimension(handle)
      @attributes_of ||= DirectoryAttribute.where(state: "active").where.not(type: "catch").order(:created_at, :id).group_by(&:directory_dimension_id)
      @attributes_of[@dimensions.fetch(handle).id]
    end

    def second_attribute = chance.pick(of_dimension(chance.pick(%w[location employment_type])))

    def maybe(attribute) = chance.one_in?(2) ? [attribute] : []

    def create_ruleset(attribute)
      ruleset = { id: chance.id("plrst"), state: "unmanaged", type: "directory_attribute", resource_id: attribute.id,
                  is_authoritative: chance.one_in?(3), expires_after_days: chance.pick([30, 90, 180, 365]) }
      PolicyRuleset.insert_all!([ruleset])
      chance.number(1..3).times { |priority| create_rule(ruleset, attribute, yield.uniq, priority + 1) }
    end

    def create_rule(ruleset, attribute, required, priority)
      role = "#{attribute.name} #{chance.pick(ROLES)}"
      inherited = chance.one_in?(2)
      rule = {
        id: chance.id("plrul"), ruleset_id: ruleset[:id], state: "active", role_name: role, role_handle: role.parameterize,
        description: "Gives the role #{role}", is_imported: false, priority: priority, expires_after_days_inherited: inherited,
        expires_after_days: inherited ? ruleset[:expires_after_days] : chance.pick([7, 14, 60])
      }
      PolicyRule.insert_all!([rule])
      PolicyCondition.insert_all!(required.map { |one| condition(rule, one) })
      users = DirectoryUser.where(id: required.map { |one| @holders.fetch(one.id, []) }.inject(:&)).order(:created_at, :id)
      PolicyUser.insert_all!(users.map { |user| policy_user(rule, user) }) if users.any?
    end

    def condition(rule, attribute)
      key = @dimensions.values.find { |dimension| dimension.id == attribute.directory_dimension_id }.handle
      {
        id: chance.id("plcon"), ruleset_id: rule[:ruleset_id], rule_id: rule[:id], resource_id: attribute.id, is_imported: false,
        type: "attribute", profile_key: key, profile_operator: "equals", profile_value: attribute.profile_value,
        description: "#{key} equals #{attribute.profile_value}"
      }
    end

    def policy_user(rule, user)
      created = chance.past(after: user.created_at)
      activated = chance.past(after: created) unless user.state == "staged"
      {
        id: chance.id("plusr"), directory_user_id: user.id, ruleset_id: rule[:ruleset_id], rule_id: rule[:id], state: user.state,
        created_at: created, updated_at: activated || created, activated_at: activated, expires_at: user.expires_at, deleted_at: nil
      }
    end
  end
end
