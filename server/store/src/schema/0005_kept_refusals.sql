-- Under an idempotency key a refusal is kept as an answer is.
ALTER TABLE idempotency_keys ADD COLUMN refusal TEXT;
