-- Idempotency keys: what one is, and which deliveries have it.
set local role postrider_owner;

-- One that is empty would be a key that no handler can enter into the inbox. Only of what is published from now on: the log is not
-- read for it.
alter domain postrider.idempotency_key drop constraint idempotency_key_within_255_bytes;
alter domain postrider.idempotency_key add constraint idempotency_key_within_1_to_255_bytes
    check (octet_length(value) between 1 and 255) not valid;

-- Whether the inbox may forget a key. Most keys are the id of the message, for which there is an index already.
create index delivery_idempotency_key_idx on postrider.delivery (idempotency_key)
    where idempotency_key <> message_id::text;
