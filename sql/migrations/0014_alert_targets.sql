-- Which configuration of a target of alerts may send, and when a sender was last there.
set local role postrider_owner;

alter table postrider.alert_target add column seen_at timestamptz not null default clock_timestamp();

create table postrider.alert_configuration (
    target text collate "C" not null,
    configuration text collate "C" not null,  -- a fingerprint, no secret
    introduced_at timestamptz not null,
    seen_at timestamptz not null,
    primary key (target, configuration)
);
