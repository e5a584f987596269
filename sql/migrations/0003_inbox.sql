-- The inbox: which handler has already had its effect for which idempotency key.
set local role postrider_owner;

create table postrider.event_handled (
    handler_name text collate "C" not null,
    idempotency_key text collate "C" not null,
    handled_at timestamptz not null default clock_timestamp(),
    primary key (handler_name, idempotency_key),
    constraint event_handled_handler_name_check check (octet_length(handler_name) between 1 and 127),
    constraint event_handled_idempotency_key_check check (octet_length(idempotency_key) between 1 and 255)
);
