# PATCH /directory/attributes/:id/deprecate
class AttributeDeprecation
  include ActiveModel::Model

  attr_accessor :directory_attribute, :expires_at, :expires_after_days

  DAYS = 0..1095

  validate :expires_after_days_is_in_range, :expires_at_is_a_date_time

  def save
    return false if invalid?

    directory_attribute.update!(expires_at: end_time, state: end_time.future? ? "expiring" : "expired")
  end

  private

  # The date goes before the number of days; without either the attribute expires at once.
  def end_time
    @end_time ||= expires_at ? Time.zone.iso8601(expires_at) : (expires_after_days || 0).days.from_now
  end

  # Not `inclusion`: that also accepts a list of allowed values.
  def expires_after_days_is_in_range
    return if expires_after_days.nil? || (expires_after_days.is_a?(Integer) && DAYS.cover?(expires_after_days))

    errors.add(:expires_after_days, "must be an integer from #{DAYS.min} to #{DAYS.max}")
  end

  # A calendar date first (no week dates); Date refuses 30 February, which Time would make 2 March.
  def expires_at_is_a_date_time
    return if expires_at.nil?

    raise ArgumentError unless expires_at.is_a?(String) && expires_at.match?(/\A\d{4}-\d\d-\d\d/)
    Date.iso8601(expires_at)
    Time.zone.iso8601(expires_at)
  rescue ArgumentError
    errors.add(:expires_at, "must be an ISO 8601 date-time")
  end
end
