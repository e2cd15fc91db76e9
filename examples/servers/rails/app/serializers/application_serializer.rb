# The JSON of one record, with the relations that the request asks to include.
class ApplicationSerializer
  def self.for(record) = "#{record.class.name}Serializer".constantize

  # api_root begins the links.
  def initialize(record, inclusions: [], api_root:)
    @record = record
    @inclusions = inclusions
    @api_root = api_root
  end

  # Without included relations the text depends on the record alone.
  def cached_json
    return to_json if inclusions.any?

    Rails.cache.fetch([record, api_root]) { to_json }
  end

  private

  attr_reader :record, :inclusions, :api_root

  def fields(*names) = names.index_with { |name| record.public_send(name) }

  def included
    inclusions.to_h do |inclusion|
      related = record.public_send(inclusion.association)
      [inclusion.member, included_value(related, inclusion)]
    end
  end

  def included_value(related, inclusion)
    case inclusion.form
    when "count" then Array(related).length
    when "exists" then related.present?
    else
      related = related.first if inclusion.relation == "secondary-users" # the API shows a single object
      related.respond_to?(:each) ? related.map { |one| SummarySerializer.new(one) } : related && SummarySerializer.new(related)
    end
  end
end
