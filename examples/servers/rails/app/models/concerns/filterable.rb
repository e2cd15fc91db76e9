# Each filter is a scope named filter_by_NAME; each model lists its own.
module Filterable
  extend ActiveSupport::Concern

  included do
    class_attribute :filter_names, :sort_fields, default: []
    # First of all: paranoia's with_deleted drops every earlier condition on deleted_at.
    filter(:trashed) { |value| { "with" => with_deleted, "only" => only_deleted }.fetch(value, all) }
  end

  class_methods do
    # In the order in which the model lists them. Filters without a value do not count.
    def filter_by(values)
      filter_names.inject(all) do |records, name|
        values[name].to_s.empty? ? records : records.public_send("filter_by_#{name}", values[name])
      end
    end

    # "last_name,-created_at"; fields that cannot be sorted by are skipped.
    def sort_by_fields(sort)
      fields = sort.to_s.split(",").select { |field| sort_fields.include?(field.delete_prefix("-")) }
      fields = [implicit_order_column] if fields.empty?
      fields.inject(all) { |records, field| records.order(field.delete_prefix("-") => field.start_with?("-") ? :desc : :asc) }
            .order(:id)
    end

    # The next three are called inside the scopes.
    def where_time(column, operator, time)
      where("#{table_name}.#{column} #{operator} ?", time)
    end

    def parse_time(value)
      Time.zone.parse(value) || raise(ArgumentError, "no date in it")
    rescue ArgumentError => error
      raise ActionController::BadRequest, "#{value.inspect} is not a date: #{error.message}"
    end

    def like_pattern(value) = "%#{sanitize_sql_like(value)}%"

    private

    def filter(name, &body)
      self.filter_names += [name.to_s]
      scope "filter_by_#{name}", body
    end

    def filter_exact(*columns)
      columns.each { |column| filter(column) { |value| where(column => value) } }
    end

    def filter_partial(*columns)
      columns.each do |column|
        filter("#{column}_search") { |value| where(arel_table[column].matches(like_pattern(value), "\\")) }
      end
    end

    # Looks at the values of a JSON object, not at its keys.
    def filter_json_values(*columns)
      columns.each do |column|
        filter("#{column}_search") do |value|
          where(<<~SQL, like_pattern(value))
            EXISTS (SELECT 1 FROM json_tree(#{table_name}.#{column}) AS leaf
                    WHERE leaf.type IN ('text', 'integer', 'real') AND leaf.atom LIKE ? ESCAPE '\\')
          SQL
        end
      end
    end

    def filter_dates(columns)
      columns.each do |name, column|
        filter("#{name}_before") { |value| where_time(column, "<", parse_time(value)) }
        filter("#{name}_after") { |value| where_time(column, ">", parse_time(value)) }
      end
    end
  end
end
