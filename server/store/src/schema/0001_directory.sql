-- The first schema, in SQL that SQLite and PostgreSQL share. Tokens in braces are the dialect's (store/dialect.rs).
--
-- Moments are microseconds since 1970. A column x_folded holds x with its letters folded (store/fold.rs); it is what
-- contains-filters and the order look at. A column count_x is the member x of the record's count, kept on write.

CREATE TABLE workspace_integrations (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    is_primary BOOLEAN NOT NULL,
    vendor TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE,
    handle_folded TEXT NOT NULL,
    domain TEXT NOT NULL,
    domain_folded TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_directory_users BIGINT NOT NULL DEFAULT 0,
    count_directory_identities BIGINT NOT NULL DEFAULT 0,
    count_directory_dimensions BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE directory_dimensions (
    seq {serial},
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE,
    handle_folded TEXT NOT NULL,
    workspace_integration_id TEXT REFERENCES workspace_integrations (id),
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_attributes BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX directory_dimensions_integration ON directory_dimensions (workspace_integration_id);

CREATE TABLE directory_attributes (
    seq {serial},
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    handle TEXT NOT NULL,
    handle_folded TEXT NOT NULL,
    blueprint_signature TEXT,
    profile_value TEXT,
    directory_dimension_id TEXT NOT NULL REFERENCES directory_dimensions (id),
    workspace_integration_id TEXT REFERENCES workspace_integrations (id),
    successor_id TEXT REFERENCES directory_attributes (id) DEFERRABLE INITIALLY DEFERRED,
    activated_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_attribute_conditions BIGINT NOT NULL DEFAULT 0,
    count_attribute_predecessors BIGINT NOT NULL DEFAULT 0,
    count_policy_rules BIGINT NOT NULL DEFAULT 0,
    count_manifest_users BIGINT NOT NULL DEFAULT 0,
    count_qualified_users BIGINT NOT NULL DEFAULT 0,
    count_staged_users BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_parent BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_related BIGINT NOT NULL DEFAULT 0,
    UNIQUE (directory_dimension_id, handle)
);
CREATE INDEX directory_attributes_integration ON directory_attributes (workspace_integration_id);
CREATE INDEX directory_attributes_successor ON directory_attributes (successor_id);
CREATE INDEX directory_attributes_name ON directory_attributes (name_folded, name, id);
CREATE INDEX directory_attributes_expiring ON directory_attributes (state, expires_at);

CREATE TABLE directory_users (
    seq {serial},
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    workspace_integration_id TEXT NOT NULL REFERENCES workspace_integrations (id),
    parent_id TEXT REFERENCES directory_users (id) DEFERRABLE INITIALLY DEFERRED,
    manager_id TEXT REFERENCES directory_users (id) DEFERRABLE INITIALLY DEFERRED,
    is_manager BOOLEAN NOT NULL DEFAULT FALSE,
    first_name TEXT NOT NULL,
    first_name_folded TEXT NOT NULL,
    last_name TEXT NOT NULL,
    last_name_folded TEXT NOT NULL,
    full_name TEXT NOT NULL,
    full_name_folded TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    username TEXT NOT NULL,
    username_folded TEXT NOT NULL,
    badge_id TEXT,
    badge_id_folded TEXT,
    employee_id TEXT,
    employee_id_folded TEXT,
    employee_alt_id TEXT,
    employee_alt_id_folded TEXT,
    org TEXT NOT NULL DEFAULT '{}',
    org_folded TEXT NOT NULL DEFAULT '',
    metadata TEXT NOT NULL DEFAULT '{}',
    metadata_folded TEXT NOT NULL DEFAULT '',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    provisioned_at BIGINT,
    deprovisioned_at BIGINT,
    expired_at BIGINT,
    deactivated_at BIGINT,
    count_secondary_users BIGINT NOT NULL DEFAULT 0,
    count_direct_report_users BIGINT NOT NULL DEFAULT 0,
    count_directory_identities BIGINT NOT NULL DEFAULT 0,
    count_policy_conditions BIGINT NOT NULL DEFAULT 0,
    count_policy_users BIGINT NOT NULL DEFAULT 0,
    count_policy_rulesets BIGINT NOT NULL DEFAULT 0,
    count_manifest_rules BIGINT NOT NULL DEFAULT 0,
    count_qualified_rules BIGINT NOT NULL DEFAULT 0,
    count_staged_rules BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_parent BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_related BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_subject BIGINT NOT NULL DEFAULT 0,
    count_directory_attributes BIGINT NOT NULL DEFAULT 0,
    count_vcs_groups BIGINT NOT NULL DEFAULT 0,
    count_vcs_projects BIGINT NOT NULL DEFAULT 0,
    count_drive_docs BIGINT NOT NULL DEFAULT 0,
    count_drive_files BIGINT NOT NULL DEFAULT 0,
    count_drive_folders BIGINT NOT NULL DEFAULT 0,
    count_drive_decks BIGINT NOT NULL DEFAULT 0,
    count_drive_sheets BIGINT NOT NULL DEFAULT 0,
    count_identity_groups BIGINT NOT NULL DEFAULT 0,
    count_suite_drives BIGINT NOT NULL DEFAULT 0,
    count_suite_groups BIGINT NOT NULL DEFAULT 0,
    count_workforce_groups BIGINT NOT NULL DEFAULT 0,
    count_chat_public_channels BIGINT NOT NULL DEFAULT 0,
    count_chat_private_channels BIGINT NOT NULL DEFAULT 0,
    count_chat_groups BIGINT NOT NULL DEFAULT 0
);
-- Each index ends in the tie-breaker and in deleted_at, so that paging past trashed records does not touch the rows.
CREATE INDEX directory_users_live ON directory_users (id, deleted_at);
CREATE INDEX directory_users_integration ON directory_users (workspace_integration_id, id, deleted_at);
CREATE INDEX directory_users_parent ON directory_users (parent_id, id, deleted_at);
CREATE INDEX directory_users_manager ON directory_users (manager_id, id, deleted_at);
CREATE INDEX directory_users_is_manager ON directory_users (is_manager, id, deleted_at);
CREATE INDEX directory_users_state ON directory_users (state, id, deleted_at);
CREATE INDEX directory_users_state_created ON directory_users (state, created_at, id, deleted_at);
CREATE INDEX directory_users_expiring ON directory_users (state, expires_at);
CREATE INDEX directory_users_first_name ON directory_users (first_name_folded, first_name, id, deleted_at);
CREATE INDEX directory_users_last_name ON directory_users (last_name_folded, last_name, id, deleted_at);
CREATE INDEX directory_users_full_name ON directory_users (full_name_folded, full_name, id, deleted_at);
CREATE INDEX directory_users_email ON directory_users (email_folded, email, id, deleted_at);
CREATE INDEX directory_users_username ON directory_users (username_folded, username, id, deleted_at);
CREATE INDEX directory_users_badge ON directory_users (badge_id_folded, badge_id, id, deleted_at);
CREATE INDEX directory_users_employee ON directory_users (employee_id_folded, employee_id, id, deleted_at);
CREATE INDEX directory_users_employee_alt ON directory_users (employee_alt_id_folded, employee_alt_id, id, deleted_at);
CREATE INDEX directory_users_created ON directory_users (created_at, id, deleted_at);
CREATE INDEX directory_users_updated ON directory_users (updated_at, id, deleted_at);
CREATE INDEX directory_users_expires ON directory_users (expires_at, id, deleted_at);
CREATE INDEX directory_users_deleted ON directory_users (deleted_at, id);
CREATE INDEX directory_users_provisioned ON directory_users (provisioned_at, id, deleted_at);
CREATE INDEX directory_users_deprovisioned ON directory_users (deprovisioned_at, id, deleted_at);
CREATE INDEX directory_users_expired ON directory_users (expired_at, id);
CREATE INDEX directory_users_deactivated ON directory_users (deactivated_at, id);

CREATE TABLE user_attributes (
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    directory_attribute_id TEXT NOT NULL REFERENCES directory_attributes (id),
    PRIMARY KEY (directory_user_id, directory_attribute_id)
);
CREATE INDEX user_attributes_attribute ON user_attributes (directory_attribute_id, directory_user_id);

CREATE TABLE external_resources (
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (directory_user_id, kind, name)
);

CREATE TABLE directory_identities (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    workspace_integration_id TEXT NOT NULL REFERENCES workspace_integrations (id),
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    integration_vendor TEXT NOT NULL,
    integration_handle TEXT NOT NULL,
    vendor_id TEXT NOT NULL,
    full_name TEXT NOT NULL,
    full_name_folded TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    org TEXT NOT NULL DEFAULT '{}',
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0,
    UNIQUE (workspace_integration_id, vendor_id)
);
CREATE INDEX directory_identities_user ON directory_identities (directory_user_id, id);
CREATE INDEX directory_identities_email ON directory_identities (email_folded, email, id);
CREATE INDEX directory_identities_full_name ON directory_identities (full_name_folded, full_name, id);
CREATE INDEX directory_identities_state ON directory_identities (state, id);

CREATE TABLE workspace_users (
    seq {serial},
    id TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    directory_user_id TEXT UNIQUE REFERENCES directory_users (id),
    provider TEXT NOT NULL,
    provider_id TEXT,
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    handle TEXT NOT NULL,
    handle_folded TEXT NOT NULL,
    email TEXT NOT NULL,
    email_folded TEXT NOT NULL,
    ui_mode TEXT,
    ui_color TEXT,
    last_authenticated_at BIGINT,
    last_activity_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_workspace_devices BIGINT NOT NULL DEFAULT 0,
    count_workspace_roles BIGINT NOT NULL DEFAULT 0,
    count_workspace_services BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_actor BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_parent BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_related BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_subject BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX workspace_users_live ON workspace_users (id, deleted_at);
CREATE INDEX workspace_users_name ON workspace_users (name_folded, name, id, deleted_at);
CREATE INDEX workspace_users_email ON workspace_users (email_folded, email, id, deleted_at);
CREATE INDEX workspace_users_handle ON workspace_users (handle_folded, handle, id, deleted_at);
CREATE INDEX workspace_users_provider ON workspace_users (provider, id, deleted_at);
CREATE INDEX workspace_users_provider_id ON workspace_users (provider_id);
CREATE INDEX workspace_users_expiring ON workspace_users (state, expires_at);
CREATE INDEX workspace_users_created ON workspace_users (created_at, id, deleted_at);
CREATE INDEX workspace_users_updated ON workspace_users (updated_at, id, deleted_at);
CREATE INDEX workspace_users_deleted ON workspace_users (deleted_at, id);
CREATE INDEX workspace_users_authenticated ON workspace_users (last_authenticated_at, id, deleted_at);
CREATE INDEX workspace_users_activity ON workspace_users (last_activity_at, id, deleted_at);

-- Devices, roles, services and tokens. A detached role is kept for a restore that asks for it (O8).
CREATE TABLE workspace_items (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    workspace_user_id TEXT NOT NULL REFERENCES workspace_users (id),
    name TEXT NOT NULL,
    name_folded TEXT NOT NULL,
    state TEXT NOT NULL,
    is_attached BOOLEAN NOT NULL DEFAULT TRUE,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT
);
CREATE INDEX workspace_items_user ON workspace_items (workspace_user_id, kind, id);
CREATE INDEX workspace_items_kind ON workspace_items (kind, id);
CREATE INDEX workspace_items_name ON workspace_items (name_folded, name, id);

CREATE TABLE token_secrets (
    id TEXT PRIMARY KEY REFERENCES workspace_items (id),
    hash TEXT NOT NULL UNIQUE,
    scopes TEXT NOT NULL
);

CREATE TABLE policy_rulesets (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    type TEXT NOT NULL,
    resource_id TEXT NOT NULL UNIQUE REFERENCES directory_attributes (id),
    is_authoritative BOOLEAN NOT NULL,
    expires_after_days BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_policy_rules BIGINT NOT NULL DEFAULT 0,
    count_policy_conditions BIGINT NOT NULL DEFAULT 0,
    count_policy_users BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0
);

CREATE TABLE policy_rules (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    ruleset_id TEXT NOT NULL REFERENCES policy_rulesets (id),
    role_name TEXT NOT NULL,
    role_name_folded TEXT NOT NULL,
    role_handle TEXT NOT NULL,
    is_imported BOOLEAN NOT NULL,
    description TEXT NOT NULL,
    expires_after_days BIGINT NOT NULL,
    expires_after_days_inherited BOOLEAN NOT NULL,
    priority BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_policy_conditions BIGINT NOT NULL DEFAULT 0,
    count_policy_users BIGINT NOT NULL DEFAULT 0,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX policy_rules_ruleset ON policy_rules (ruleset_id, id);
CREATE INDEX policy_rules_role ON policy_rules (role_handle, id);
CREATE INDEX policy_rules_expiring ON policy_rules (state, expires_at);

CREATE TABLE policy_conditions (
    id TEXT PRIMARY KEY,
    is_imported BOOLEAN NOT NULL,
    type TEXT NOT NULL,
    ruleset_id TEXT NOT NULL REFERENCES policy_rulesets (id),
    rule_id TEXT NOT NULL REFERENCES policy_rules (id),
    resource_id TEXT NOT NULL REFERENCES directory_attributes (id),
    profile_key TEXT NOT NULL,
    profile_key_folded TEXT NOT NULL,
    profile_operator TEXT NOT NULL,
    profile_value TEXT NOT NULL,
    profile_value_folded TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX policy_conditions_rule ON policy_conditions (rule_id, id);
CREATE INDEX policy_conditions_ruleset ON policy_conditions (ruleset_id, id);
CREATE INDEX policy_conditions_resource ON policy_conditions (resource_id, id);

-- Who qualifies for which rule, and in which standing: manifest, staged, or neither (qualified). A manifest entry lapses
-- at its expires_at (P5). Only manifest and staged ones are policy users (P3).
CREATE TABLE policy_users (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    standing TEXT NOT NULL,
    directory_user_id TEXT NOT NULL REFERENCES directory_users (id),
    rule_id TEXT NOT NULL REFERENCES policy_rules (id),
    ruleset_id TEXT NOT NULL REFERENCES policy_rulesets (id),
    attribute_id TEXT NOT NULL REFERENCES directory_attributes (id),
    activated_at BIGINT,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT,
    deleted_at BIGINT,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0,
    UNIQUE (directory_user_id, rule_id)
);
CREATE INDEX policy_users_rule ON policy_users (rule_id, standing, expires_at);
CREATE INDEX policy_users_ruleset ON policy_users (ruleset_id, standing, expires_at);
CREATE INDEX policy_users_attribute ON policy_users (attribute_id, standing, directory_user_id, expires_at);
-- Only what can lapse: an index on the standing alone would tempt a planner without statistics.
CREATE INDEX policy_users_lapsing ON policy_users (expires_at) WHERE standing = 'manifest' AND expires_at IS NOT NULL;

CREATE TABLE workspace_logs (
    id TEXT PRIMARY KEY,
    action TEXT NOT NULL,
    actor_id TEXT REFERENCES workspace_users (id),
    parent_id TEXT,
    record_id TEXT NOT NULL,
    related_id TEXT,
    subject_id TEXT,
    message TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    deleted_at BIGINT,
    count_workspace_logs_record BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX workspace_logs_actor ON workspace_logs (actor_id, id);
CREATE INDEX workspace_logs_parent ON workspace_logs (parent_id, id);
CREATE INDEX workspace_logs_record ON workspace_logs (record_id, id);
CREATE INDEX workspace_logs_related ON workspace_logs (related_id, id);
CREATE INDEX workspace_logs_subject ON workspace_logs (subject_id, id);
CREATE INDEX workspace_logs_created ON workspace_logs (created_at, id);

-- Answers of changes made under an Idempotency-Key (O11).
CREATE TABLE idempotency_keys (
    token_id TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (token_id, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
