class ApplicationController < ActionController::API
  include ActionController::HttpAuthentication::Token::ControllerMethods
  include Listing

  before_action :authenticate

  rescue_from(ActiveRecord::RecordNotFound) { render_error :not_found }
  rescue_from ActionController::BadRequest, ActionDispatch::Http::Parameters::ParseError do |error|
    render_error :bad_request, error.message
  end

  def not_found = render_error(:not_found)

  private

  def authenticate
    authenticate_or_request_with_http_token do |token, _options|
      ActiveSupport::SecurityUtils.secure_compare(token, Rails.configuration.x.access_token)
    end
  end

  def render_list(records)
    render json: "[#{records.map { |record| serialize(record).cached_json }.join(",")}]"
  end

  def render_record(record) = render(json: serialize(record))

  def serialize(record)
    ApplicationSerializer.for(record).new(record, inclusions: inclusions, api_root: api_root)
  end

  # Only what the JSON body says; a query string cannot stand in for it.
  def body_values(*names)
    values = request.request_parameters
    raise ActionController::BadRequest, "the body must be a JSON object" if values.key?(:_json)

    values.slice(*names)
  end

  # The shape of the error bodies which Rails itself writes for an API.
  def render_error(status, message = nil)
    code = Rack::Utils.status_code(status)
    render json: { status: code, error: Rack::Utils::HTTP_STATUS_CODES[code], message: message }.compact, status: status
  end

  def render_errors(errors) = render(json: { errors: errors }, status: :unprocessable_entity)

  def api_root = "#{request.base_url}/api/v1"
end
