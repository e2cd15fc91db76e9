class ApplicationRecord < ActiveRecord::Base
  self.abstract_class = true
  self.inheritance_column = nil # several tables have an ordinary column named "type"
end
