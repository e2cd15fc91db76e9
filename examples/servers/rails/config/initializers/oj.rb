# to_json by Oj, with the formats of ActiveSupport.
Oj.optimize_rails
