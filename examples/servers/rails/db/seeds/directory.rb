module Seeds
  # Integrations, dimensions with their attributes, and the people.
  class Directory
    DIVISIONS = {
      "Product" => ["Engineering", "Design", "Research & Development"],
      "Go to Market" => ["Sales", "Marketing", "Customer Success"],
      "Operations" => ["Finance", "People Operations", "Legal", "IT Operations"]
    }.freeze
    LOCATIONS = ["Zürich", "São Paulo", "New York", "Kraków", "Dublin", "Tōkyō", "Remote (100%)", "Malmö"].freeze
    TITLES = {
      0 => ["Chief Executive Officer"], 1 => ["Vice President"], 2 => ["Director", "Team Lead", "Engineering Manager"],
      3 => ["Software Engineer", "Product Designer", "Account Executive", "Data Analyst", "Office Manager", "Site Reliability Engineer"]
    }.freeze
    EMPLOYMENT_TYPES = ["Full-time", "Part-time", "Contractor", "Intern"].freeze
    ACCESS_GROUPS = ["Production Access", "Payroll Readers", "Security Champions", "Incident Responders"].freeze
    DOMAINS = ["northwind.example", "northwind.example", "nw-labs.example"].freeze
    EXTERNAL_COUNTS = %w[
      vcs_groups vcs_projects drive_docs drive_files drive_folders drive_decks drive_sheets identity_groups suite_drives
      suite_groups workforce_groups chat_public_channels chat_private_channels chat_groups
    ].freeze
    STATE_WEIGHTS = { "active" => 64, "staged" => 8, "expiring" => 7, "expired" => 6, "suspended" => 6, "deactivated" => 9 }.freeze

    attr_reader :chance

    def initialize(chance)
      @chance = chance
      @handles = Hash.new(0)
    end

    def create_integrations
      @integrations = %w[people-core code-forge chat-hub].map.with_index do |handle, index|
        { id: chance.id("wsitg"), is_primary: index.zero?, vendor: "demo", handle: handle, domain: "#{handle}.northwind.example" }
      end
      WorkspaceIntegration.insert_all!(@integrations)
    end

    def create_dimensions
      @attributes = {}
      create_dimension "Division", DIVISIONS.keys
      create_dimension "Department", DIVISIONS.values.flatten
      create_dimension "Cost Center", DIVISIONS.values.flatten.each_index.map { |index| "CC_#{1000 + 10 * index}" }
      create_dimension "Location", LOCATIONS
      create_dimension "Title", TITLES.values.flatten
      create_dimension "Employment Type", EMPLOYMENT_TYPES
      create_dimension "Access Group", ACCESS_GROUPS, type: "ruleset"
      create_dimension "Region", %w[EMEA AMER APAC], state: "staged"
      create_dimension "Pay Grade", %w[P1 P2 P3], state: "expiring"
      create_dimension "Building", ["Building 1", "Building 2"], state: "expired"
      create_dimension "Desk", ["Desk A", "Desk B"], state: "deactivated"
      create_dimension "Legacy Team", ["Blue Team", "Red Team"], state: "deactivated", deleted: true
      create_dimension "Badge Color", [], state: "deactivated", deleted: true
    end

    # A tree of managers: one chief, vice presidents, leads, and everybody else.
    def create_users(total)
      return if total < 1

      secondary_total = total / 20
      names = SPECIAL_NAMES + Array.new([total - SPECIAL_NAMES.size, 0].max) { random_name }
      names = chance.shuffle(names.first(total - secondary_total))
      leads = [names.size / 6, 2].max
      users = names.each_with_index.map do |name, index|
        user(name, level: index.zero? ? 0 : index < 5 ? 1 : index < leads ? 2 : 3)
      end
      users.group_by { |user| user[:level] }.each_value { |people| people.each { |user| add_manager(user, users) } }
      cover_every_state(users)
      users += chance.some(users.select { |user| user[:state] == "active" }, secondary_total).map { |parent| secondary_user(parent) }
      users.each { |user| add_times(user) }
      insert(users)
    end

    private

    def create_dimension(name, attribute_names, type: "integration", state: "active", deleted: false)
      dimension = { id: chance.id("drdim"), name: name, handle: name.parameterize(separator: "_"), **life(state, deleted: deleted) }
      DirectoryDimension.unscoped.insert_all!([dimension])
      attributes = attribute_names.map { |value| attribute(dimension, value, type: type, state: state, deleted: deleted) }
      if state == "active"
        attributes << attribute(dimension, "Unknown #{name}", type: "catch")
        attributes.concat(former_attributes(dimension, attributes, type))
      end
      DirectoryAttribute.unscoped.insert_all!(attributes) if attributes.any?
      @attributes[dimension[:handle]] = attributes.index_by { |row| row[:name] }
    end

    # Attributes that nobody has (any more); some have a successor.
    def former_attributes(dimension, attributes, type)
      successor = attributes.first[:id]
      [
        attribute(dimension, "Former #{dimension[:name]} 1", type: type, state: "expired", successor_id: successor),
        attribute(dimension, "Former #{dimension[:name]} 2", type: type, state: "deactivated", successor_id: successor),
        attribute(dimension, "Future #{dimension[:name]}", type: type, state: "staged"),
        attribute(dimension, "Ending #{dimension[:name]}", type: type, state: "expiring", successor_id: successor),
        attribute(dimension, "Removed #{dimension[:name]}", type: type, state: "deactivated", deleted: true)
      ]
    end

    def attribute(dimension, name, type:, state: "active", deleted: false, successor_id: nil)
      id = chance.id("dratr")
      imported = type == "integration"
      {
        id: id, directory_dimension_id: dimension[:id], type: type, name: name, handle: name.parameterize, successor_id: successor_id,
        workspace_integration_id: (@integrations.first[:id] if imported),
        profile_value: (chance.one_in?(4) ? name.upcase : name if imported),
        blueprint_signature: ([chance.id("bp"), dimension[:id], id, chance.id("ref")].map { |part| part.last(4) }.join("-") if chance.one_in?(3)),
        log_counts: log_counts(%w[parent record related]), **life(state, deleted: deleted)
      }
    end

    def life(state, deleted: false)
      created = chance.past
      activated = chance.past(after: created) unless state == "staged"
      ended = chance.past(after: activated || created)
      deleted_at = chance.past(after: ended) if deleted
      {
        state: state, created_at: created, activated_at: activated, deleted_at: deleted_at,
        expires_at: { "expired" => ended, "expiring" => chance.future }[state],
        updated_at: deleted_at || (state == "expired" ? ended : chance.past(after: activated || created))
      }
    end

    def log_counts(roles) = roles.to_h { |role| ["workspace_logs_#{role}", chance.number(0..60)] }

    def random_name
      first_names, last_names = NAMES[chance.pick(NAMES.keys)]
      [chance.pick(first_names), chance.pick(last_names)]
    end

    def user((first_name, last_name), level:)
      integration = level == 3 && chance.one_in?(10) ? @integrations.second : @integrations.first
      handle = free_handle("#{Seeds.handle_part(first_name)}.#{Seeds.handle_part(last_name)}")
      number = chance.number(10_000..99_999)
      {
        id: chance.id("drusr"), level: level, first_name: first_name, last_name: last_name, full_name: "#{first_name} #{last_name}",
        email: "#{handle}@#{chance.pick(DOMAINS)}", username: chance.one_in?(12) ? "#{handle.tr(".-", "__")}_#{number % 100}" : handle,
        workspace_integration_id: integration[:id], manager_id: nil, parent_id: nil,
        badge_id: ("B-#{chance.number(100_000..999_999)}" if integration[:is_primary] && !chance.one_in?(4)),
        employee_id: ("E#{number}" if integration[:is_primary] && !chance.one_in?(6)),
        employee_alt_id: ("ALT_#{number}" if integration[:is_primary] && chance.one_in?(3)),
        state: level < 3 ? "active" : chance.weighted(STATE_WEIGHTS), metadata: metadata,
        attributes: user_attributes(level)
      }
    end

    def free_handle(handle)
      @handles[handle] += 1
      @handles[handle] > 1 ? "#{handle}#{@handles[handle]}" : handle
    end

    def metadata
      values = {
        "shirt_size" => chance.pick(%w[S M L XL]), "onboarding_buddy" => random_name.join(" "),
        "remote_allowance" => "#{chance.pick([25, 50, 100])}%", "on_call" => chance.one_in?(2),
        "equipment" => { "laptop" => chance.pick(["ThinkPad", "MacBook"]), "monitors" => chance.number(0..3) }
      }
      values.slice(*chance.some(values.keys, chance.number(0..4)))
    end

    def user_attributes(level)
      division = chance.pick(DIVISIONS.keys)
      department = chance.pick(DIVISIONS[division])
      names = {
        "division" => division, "department" => department, "title" => chance.pick(TITLES[level]),
        "cost_center" => "CC_#{1000 + 10 * DIVISIONS.values.flatten.index(department)}", "location" => chance.pick(LOCATIONS),
        "employment_type" => chance.weighted("Full-time" => 7, "Part-time" => 2, "Contractor" => 2, "Intern" => 1)
      }
      names["location"] = "Unknown Location" if chance.one_in?(15)
      names["cost_center"] = "Unknown Cost Center" if chance.one_in?(20)
      names.delete("employment_type") if chance.one_in?(12)
      names.to_h { |dimension, name| [dimension, @attributes[dimension].fetch(name)] }
    end

    def add_manager(user, users)
      managers = users.select { |other| other[:level] == user[:level] - 1 }
      user[:manager_id] = chance.pick(managers)[:id] if managers.any? && !(user[:level] == 3 && chance.one_in?(40))
    end

    # At least two people in each state, and some soft-deleted ones.
    def cover_every_state(users)
      others = chance.shuffle(users.select { |user| user[:level] == 3 })
      DirectoryUser::STATES.each { |state| others.shift(2).each { |user| user[:state] = state } }
      others.shift(others.size / 14 + 1).each { |user| user.merge!(state: "deactivated", deleted: true) }
      others.shift(3).each { |user| user.merge!(state: "active", deprovisioned: true) }
    end

    def secondary_user(parent)
      handle = free_handle("#{parent[:email].split("@").first}-admin")
      parent.merge(
        id: chance.id("drusr"), level: nil, parent_id: parent[:id], manager_id: nil, email: "#{handle}@#{parent[:email].split("@").last}",
        username: chance.one_in?(2) ? "adm_#{handle.delete_suffix("-admin")}" : handle, workspace_integration_id: @integrations.second[:id],
        badge_id: nil, employee_id: nil, employee_alt_id: nil, metadata: { "purpose" => "administration" },
        attributes: parent[:attributes].slice("department", "cost_center"), deprovisioned: false
      )
    end

    def add_times(user)
      created = chance.past
      provisioned = chance.past(after: created) unless user[:state] == "staged"
      ended = chance.past(after: provisioned || created)
      deprovisioned = user[:deprovisioned] || %w[expired deactivated suspended].include?(user[:state])
      deleted = chance.past(after: ended) if user[:deleted]
      user.merge!(
        created_at: created, provisioned_at: provisioned, deprovisioned_at: (ended if deprovisioned),
        expires_at: { "expired" => ended, "expiring" => chance.future }[user[:state]],
        deactivated_at: (ended if %w[expired deactivated].include?(user[:state])), deleted_at: deleted,
        updated_at: deleted || (deprovisioned ? ended : chance.past(after: provisioned || created))
      )
    end

    def insert(users)
      DirectoryUser.unscoped.insert_all!(users.map do |user|
        user.except(:level, :attributes, :deleted, :deprovisioned).merge(
          org: user[:attributes].transform_values { |attribute| attribute[:name] },
          log_counts: log_counts(%w[parent record related subject]), external_counts: external_counts(user)
        )
      end)
      DirectoryIdentity.insert_all!(users.flat_map { |user| identities(user) })
      AttributeAssignment.insert_all!(users.flat_map do |user|
        user[:attributes].values.map { |attribute| { directory_user_id: user[:id], directory_attribute_id: attribute[:id] } }
      end)
    end

    def external_counts(user)
      EXTERNAL_COUNTS.to_h { |name| [name, user[:state] == "staged" ? 0 : [chance.number(-3..12), 0].max] }
    end

    # One identity in the user's own integration, perhaps more in the others.
    def identities(user)
      others = @integrations.reject { |integration| integration[:id] == user[:workspace_integration_id] }
      own = @integrations.find { |integration| integration[:id] == user[:workspace_integration_id] }
      [own, *chance.some(others, chance.number(0..2))].map do |integration|
        {
          id: chance.id("dridt"), workspace_integration_id: integration[:id], directory_user_id: user[:id],
          vendor_id: chance.number(10_000_000..99_999_999).to_s, full_name: user[:full_name], email: user[:email],
          state: user[:state], org: user[:attributes].slice("department", "title").transform_values { |attribute| attribute[:name] }
        }
      end
    end
  end
end
