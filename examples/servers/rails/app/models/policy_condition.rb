class PolicyCondition < ApplicationRecord
end
