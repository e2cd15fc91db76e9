module Seeds
  # Sign-in identities: of most directory users, and of a few people from outside.
  class Workspace
    ROLES = %w[owner administrator auditor member viewer].freeze
    COUNTS = %w[workspace_devices workspace_services workspace_logs_actor workspace_logs_parent workspace_logs_record
                workspace_logs_related workspace_logs_subject].freeze

    attr_reader :chance

    def initialize(chance)
      @chance = chance
    end

    def create
      people = DirectoryUser.where(parent_id: nil).order(:created_at, :id).to_a
      linked = chance.some(people, people.size * 2 / 3).map { |person| from_directory(person) }
      users = linked + outsiders
      deleted = chance.some(users, users.size / 10 + 2).each { |user| user[:state] = "deactivated" }
      users.each { |user| add_times(user, deleted: deleted.include?(user)) }
      WorkspaceUser.unscoped.insert_all!(users)
      WorkspaceRole.unscoped.insert_all!(users.flat_map { |user| roles(user) })
    end

    private

    def from_directory(person)
      user(person.full_name, person.username, person.email).merge(
        directory_user_id: person.id, state: person.state == "suspended" ? "deactivated" : person.state
      )
    end

    # Two in every state, so that each can be found.
    def outsiders
      (WorkspaceUser::STATES * 2).each_with_index.map do |state, index|
        name = "Guest #{%w[Ødegård Ní\ Bhriain O'Hara Weber-Élan Null][index % 5]}"
        handle = "guest.#{index + 1}"
        user(name, handle, "#{handle}@partner.example").merge(directory_user_id: nil, state: state)
      end
    end

    def user(name, handle, email)
      provider = chance.weighted("workforce_idp" => 6, "native_idp" => 2, "consumer_account_idp" => 2)
      {
        id: chance.id("wsusr"), provider: provider, provider_id: (chance.id("idp") unless provider == "native_idp"),
        name: name, handle: handle, email: email, ui_mode: chance.pick(["light", "dark", nil]),
        ui_color: chance.pick(["indigo", "teal", "amber", nil]), other_counts: COUNTS.to_h { |count| [count, chance.number(0..40)] }
      }
    end

    def add_times(user, deleted:)
      created = chance.past(digits: 6)
      seen = chance.past(after: created, digits: 6) unless user[:state] == "staged"
      last_activity = chance.past(after: seen, digits: 6) if seen
      ended = chance.past(after: last_activity || created, digits: 6)
      deleted_at = chance.past(after: ended, digits: 6) if deleted
      user.merge!(
        created_at: created, last_authenticated_at: seen, last_activity_at: last_activity, deleted_at: deleted_at,
        expires_at: { "expired" => ended, "expiring" => chance.future(digits: 6) }[user[:state]],
        updated_at: deleted_at || ended
      )
    end

    # The roles of a deleted user were deleted with it.
    def roles(user)
      chance.some(ROLES, chance.number(1..4)).map do |name|
        { workspace_user_id: user[:id], name: name, created_at: user[:created_at], updated_at: user[:updated_at], deleted_at: user[:deleted_at] }
      end
    end
  end
end
