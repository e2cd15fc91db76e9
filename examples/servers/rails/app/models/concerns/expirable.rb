# Records with an end date. Their state follows when the date has passed.
module Expirable
  extend ActiveSupport::Concern

  included do
    scope :due, -> { with_deleted.where(state: "expiring").where("expires_at <= ?", Time.current) }
  end

  class_methods do
    def expire_due
      due.update_all(expired_attributes) if due.exists?
    end

    private

    def expired_attributes
      { state: "expired", updated_at: Time.current }
    end
  end
end
