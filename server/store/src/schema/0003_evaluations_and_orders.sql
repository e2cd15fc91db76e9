-- Rules whose users are still to be evaluated: those with ids after after_user. The entries of a rule that is not live any
-- more are out of the manifest at once, evaluated or not (P5).
CREATE TABLE pending_evaluations (
    number {serial},
    rule_id TEXT NOT NULL UNIQUE REFERENCES policy_rules (id),
    is_live BOOLEAN NOT NULL,
    after_user TEXT NOT NULL
);
-- The users of a rule in order, so that they can be evaluated in steps.
DROP INDEX policy_users_rule;
CREATE INDEX policy_users_rule ON policy_users (rule_id, directory_user_id, standing, expires_at);
-- The orders by state, by expiry and by action.
CREATE INDEX workspace_users_expires ON workspace_users (expires_at, id, deleted_at);
CREATE INDEX workspace_users_state ON workspace_users (state, id, deleted_at);
CREATE INDEX workspace_logs_action ON workspace_logs (action, id);
