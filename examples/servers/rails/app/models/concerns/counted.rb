# Numbers of related records, kept in columns named NAME_count so that lists stay fast.
# A counter_cache cannot follow relations that go through other tables.
module Counted
  extend ActiveSupport::Concern

  included { class_attribute :counted_relations, default: {} }

  class_methods do
    def refresh_counts
      with_deleted.preload(counted_relations.values.uniq).find_each do |record|
        record.update_columns(counted_relations.to_h { |name, relation| ["#{name}_count", record.public_send(relation).length] })
      end
    end
  end

  def relation_counts
    counted_relations.keys.index_with { |name| self["#{name}_count"] }
  end
end
