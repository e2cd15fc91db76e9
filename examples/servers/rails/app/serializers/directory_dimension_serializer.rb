class DirectoryDimensionSerializer < ApplicationSerializer
  def as_json(*)
    {
      **fields(:id, :state, :name, :handle),
      timestamp: fields(:created_at, :updated_at, :activated_at, :expires_at, :deleted_at),
      count: { attributes: record.directory_attributes_count },
      included: included,
      links: {
        self: "#{api_root}/directory/dimensions/#{record.id}",
        attributes: "#{api_root}/directory/attributes?filter[directory_dimension_id]=#{record.id}"
      }
    }.as_json
  end
end
