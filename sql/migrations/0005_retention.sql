-- Retention policies and the progress of retention.
set local role postrider_owner;

-- One row per entity and class ('*': every class without a row of its own; the others are content classes). active_ttl counts
-- from the end of a row: delivered, dead, handled or recorded. Then the row is soft deleted, if its table supports that, and
-- removed after the grace.
create table postrider.retention_policy (
    entity text collate "C" not null,
    class text collate "C" not null default '*',
    active_ttl interval not null,
    grace interval not null default '0',
    disposal text collate "C" not null default 'hard_delete',
    changed_at timestamptz not null default clock_timestamp(),
    changed_by text not null default session_user,
    primary key (entity, class),
    constraint retention_policy_entity_check check (
        entity in ('outbox', 'dead_letter', 'event_handled', 'alert', 'replay', 'audit')),
    -- Only messages have a class.
    constraint retention_policy_class_check check (
        class = '*' or (entity in ('outbox', 'dead_letter') and octet_length(class) between 1 and 255)),
    constraint retention_policy_disposal_check check (disposal in ('hard_delete', 'keep')),
    -- Months have no fixed length, so they cannot be compared with days.
    constraint retention_policy_active_ttl_check check (
        active_ttl > interval '0' and extract(year from active_ttl) = 0 and extract(month from active_ttl) = 0),
    constraint retention_policy_grace_check check (
        grace >= interval '0' and extract(year from grace) = 0 and extract(month from grace) = 0)
);

-- The body comes with the function set (sql/functions/retention).
create function postrider.retention_policy_check() returns trigger
    language plpgsql as $$ begin return null; end $$;

insert into postrider.retention_policy (entity, active_ttl, grace, disposal) values
    ('outbox', '45 days', '7 days', 'hard_delete'),
    ('dead_letter', '45 days', '7 days', 'hard_delete'),
    ('event_handled', '60 days', '7 days', 'hard_delete'),
    ('alert', '30 days', '0', 'hard_delete'),
    ('replay', '365 days', '0', 'hard_delete'),
    ('audit', '1095 days', '0', 'hard_delete');

create constraint trigger retention_policy_check after insert or update or delete on postrider.retention_policy
    deferrable initially immediate for each row execute function postrider.retention_policy_check();
create trigger retention_policy_truncate after truncate on postrider.retention_policy
    for each statement execute function postrider.retention_policy_check();

-- The progress of each retention step. For a table that is processed in slices, `place` is the start of the next slice.
create table postrider.retention_progress (
    step text collate "C" primary key,
    entity text collate "C" not null,
    place bigint not null default 0,
    last_run_at timestamptz,
    removed bigint not null default 0
);
insert into postrider.retention_progress (step, entity) values
    ('partitions', 'outbox'),
    ('delivered', 'outbox'),
    ('dead', 'dead_letter'),
    ('deleted', 'dead_letter'),
    ('handled', 'event_handled'),
    ('alert', 'alert'),
    ('replay', 'replay'),
    ('audit', 'audit'),
    ('job_progress', 'outbox');
