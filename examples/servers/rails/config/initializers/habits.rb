# Habits of real teams, switched on with HABITS=name,name. Each leaves the API as it is specified.
module Habits
  NAMES = %w[past-404 strip-strings etag-stale cast-booleans date-columns rack-attack].freeze
  ON = ENV.fetch("HABITS", "").split(",").map(&:strip).reject(&:empty?)
  abort "unknown habit: #{(ON - NAMES).join(", ")}; there are #{NAMES.join(", ")}" if (ON - NAMES).any?

  # A page past the last one is not found.
  module PastLastPage
    def list(...)
      super.tap { |page| raise ActiveRecord::RecordNotFound if page.current_page > 1 && page.out_of_range? }
    end
  end

  # Spaces around parameters and body values do not count. They do count in the exact and partial
  # text filters and in filter[trashed], where another value means another result.
  module StrippedStrings
    TYPED_FILTERS = /_(before|after)\z|\Amanager\z|\Adeprovisioned_pending_deactivation\z/

    def self.prepended(controller)
      controller.before_action do
        strip_values(params) { |name| %w[sort include page per_page].include?(name) }
        strip_values(params[:filter]) { |name| TYPED_FILTERS.match?(name) }
      end
    end

    def body_values(...) = super.transform_values { |value| value.is_a?(String) ? value.strip : value }

    private

    def strip_values(values)
      return unless values.respond_to?(:each_pair)

      values.each_pair { |name, value| values[name] = value.split(",").map(&:strip).join(",") if value.is_a?(String) && yield(name) }
    end
  end

  # Compares the versions of the records before it writes any JSON.
  module StaleCheck
    def render_list(records) = (super if stale?(etag: versions(records)))

    def render_record(record) = (super if !request.get? || stale?(etag: versions([record])))

    private

    # A related record that changes changes the answer too; only these ever change.
    def versions(records)
      [records.to_a, inclusions.map(&:member), headers["Link"],
       *[DirectoryUser, DirectoryAttribute, WorkspaceUser].map { |model| model.with_deleted.maximum(:updated_at)&.iso8601(6) }]
    end
  end

  # Body values may be texts, if the text plainly means a boolean or an integer.
  module CastBodyTexts
    BOOLEANS = %w[true false yes no on off 1 0].index_with { |text| %w[true yes on 1].include?(text) }.freeze

    def roles=(value)
      super(value.is_a?(String) ? BOOLEANS.fetch(value.downcase, value) : value)
    end

    def expires_after_days=(value)
      super(value.to_s.match?(/\A\d+\z/) ? ActiveModel::Type::Integer.new(limit: 8).cast(value) : value)
    end
  end

  # Date filters look at whole days.
  module DateColumns
    def where_time(column, operator, time)
      where("DATE(#{table_name}.#{column}) #{operator} ?", time.to_date)
    end
  end
end

Rails.application.config.to_prepare do
  on = ->(name) { Habits::ON.include?(name) }
  ApplicationController.prepend(Habits::PastLastPage) if on["past-404"]
  ApplicationController.prepend(Habits::StrippedStrings) if on["strip-strings"]
  ApplicationController.prepend(Habits::StaleCheck) if on["etag-stale"]
  [WorkspaceUserRestoration, AttributeDeprecation].each { |form| form.prepend(Habits::CastBodyTexts) } if on["cast-booleans"]
  Filterable::ClassMethods.prepend(Habits::DateColumns) if on["date-columns"]
end

# No more than 40 requests in each two seconds; then 429 with Retry-After.
if Habits::ON.include?("rack-attack")
  require "rack/attack"
  Rack::Attack.throttle("requests", limit: 40, period: 2, &:ip)
  Rack::Attack.throttled_response_retry_after_header = true
  Rails.application.config.middleware.use Rack::Attack
end
