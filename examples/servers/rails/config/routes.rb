Rails.application.routes.draw do
  scope "api/v1", defaults: { format: :json } do
    namespace :directory do
      resources :users, only: %i[index show]
      resources :dimensions, only: %i[index show]
      resources :attributes, only: %i[index show] do
        patch :deprecate, on: :member
      end
    end

    namespace :workspace do
      resources :users, only: %i[index show] do
        patch :restore, on: :member
      end
    end

    match "*path", to: "application#not_found", via: :all
  end
end
