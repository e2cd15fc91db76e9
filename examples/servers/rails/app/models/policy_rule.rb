class PolicyRule < ApplicationRecord
end
