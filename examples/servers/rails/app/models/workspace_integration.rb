class WorkspaceIntegration < ApplicationRecord
end
