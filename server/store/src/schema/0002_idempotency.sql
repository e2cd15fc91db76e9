-- The keys of a token in their order, so that the oldest can be forgotten without counting them.
ALTER TABLE idempotency_keys ADD COLUMN number BIGINT NOT NULL DEFAULT 0;
CREATE INDEX idempotency_keys_order ON idempotency_keys (token_id, number);
