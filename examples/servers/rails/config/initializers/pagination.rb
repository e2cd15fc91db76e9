Kaminari.configure do |config|
  config.default_per_page = 25
  config.max_per_page = 100
end

# Only plain values (page[number]=2 is not a page), and none that is too large for the database.
ApiPagination.configure do |config|
  config.page_param { |params| [params.permit(:page)[:page].to_i, 1_000_000].min }
  config.per_page_param { |params| params.permit(:per_page)[:per_page] }
end
