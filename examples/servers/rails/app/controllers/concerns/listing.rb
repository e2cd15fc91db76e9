# The conventions which all lists share: filter, sort, include and page.
module Listing
  extend ActiveSupport::Concern

  # One name of the include parameter; form is nil, "count" or "exists".
  Inclusion = Struct.new(:relation, :association, :form) do
    def member = [relation.underscore, form].compact.join("_")
  end

  private

  def list(model)
    values = params.permit(:sort, filter: model.filter_names)
    model.expire_due
    paginate with_inclusions(model.filter_by(values.fetch(:filter, {})).sort_by_fields(values[:sort]))
  end

  def find(records)
    records.klass.expire_due
    with_inclusions(records).find(params[:id])
  end

  def with_inclusions(records)
    @inclusions = parse_inclusions(records.klass)
    records.preload(inclusions.map(&:association).uniq)
  end

  def inclusions = @inclusions || []

  # Names which the resource does not have are skipped, as strong parameters do.
  def parse_inclusions(model)
    return [] unless model.const_defined?(:RELATIONS)

    params.permit(:include)[:include].to_s.split(",").uniq.filter_map do |name|
      relation, form = name.match(/\A(.+?)(?:-(count|exists))?\z/)&.captures
      association = model::RELATIONS[relation]
      Inclusion.new(relation, association, form) if association
    end
  end
end
