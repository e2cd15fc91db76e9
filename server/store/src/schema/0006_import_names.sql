-- What other entries of a directory call a user whom it knows by an id: the DN, by which managers and members are named.
CREATE TABLE import_names (
    workspace_integration_id TEXT NOT NULL REFERENCES workspace_integrations (id),
    name TEXT NOT NULL,
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    PRIMARY KEY (workspace_integration_id, name)
){by_key};
CREATE INDEX import_names_user ON import_names (directory_user_id);
