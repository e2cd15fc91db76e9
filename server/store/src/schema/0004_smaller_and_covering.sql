-- Rows that are their key and no more are kept once: in the order of the key, where the database can do that.
DROP INDEX user_attributes_attribute;
ALTER TABLE user_attributes RENAME TO user_attributes_before;
CREATE TABLE user_attributes (
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    directory_attribute_id TEXT NOT NULL REFERENCES directory_attributes (id),
    PRIMARY KEY (directory_user_id, directory_attribute_id)
){by_key};
INSERT INTO user_attributes SELECT * FROM user_attributes_before;
DROP TABLE user_attributes_before;
CREATE INDEX user_attributes_attribute ON user_attributes (directory_attribute_id, directory_user_id);
ALTER TABLE external_resources RENAME TO external_resources_before;
CREATE TABLE external_resources (
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (directory_user_id, kind, name)
){by_key};
INSERT INTO external_resources SELECT * FROM external_resources_before;
DROP TABLE external_resources_before;
-- What few records have, and no list is sorted by, is indexed where it is.
DROP INDEX directory_users_parent;
CREATE INDEX directory_users_parent ON directory_users (parent_id, id, deleted_at) WHERE parent_id IS NOT NULL;
DROP INDEX directory_users_expired;
CREATE INDEX directory_users_expired ON directory_users (expired_at, id) WHERE expired_at IS NOT NULL;
DROP INDEX directory_users_deactivated;
CREATE INDEX directory_users_deactivated ON directory_users (deactivated_at, id) WHERE deactivated_at IS NOT NULL;
DROP INDEX workspace_logs_actor;
CREATE INDEX workspace_logs_actor ON workspace_logs (actor_id, id) WHERE actor_id IS NOT NULL;
DROP INDEX workspace_logs_parent;
CREATE INDEX workspace_logs_parent ON workspace_logs (parent_id, id) WHERE parent_id IS NOT NULL;
DROP INDEX workspace_logs_related;
CREATE INDEX workspace_logs_related ON workspace_logs (related_id, id) WHERE related_id IS NOT NULL;
-- A record expires at a time, and is shown as expired from then on: both are in the indexes of the state.
DROP INDEX directory_users_state;
CREATE INDEX directory_users_state ON directory_users (state, id, deleted_at, expires_at);
DROP INDEX directory_users_state_created;
CREATE INDEX directory_users_state_created ON directory_users (state, created_at, id, deleted_at, expires_at);
-- Lists in the order of names are searched by email and filtered by state: the rows of those that do not pass are not read.
DROP INDEX directory_users_last_name;
CREATE INDEX directory_users_last_name
    ON directory_users (last_name_folded, last_name, id, deleted_at, state, expires_at, email_folded);
DROP INDEX directory_users_full_name;
CREATE INDEX directory_users_full_name
    ON directory_users (full_name_folded, full_name, id, deleted_at, state, expires_at, email_folded);
