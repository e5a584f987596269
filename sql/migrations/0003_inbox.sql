-- The inbox: which handler has already had its effect for which idempotency key.
set local role postrider_owner;

-- handle_once() is the only way in, and sees to how long they are.
create table postrider.event_handled (
    handler_name text collate "C" not null,
    idempotency_key text collate "C" not null,
    handled_at timestamptz not null default clock_timestamp(),
    primary key (handler_name, idempotency_key)
);
