-- The role that introduced a target of alerts: its members may change where the target's alerts go.
set local role postrider_owner;

alter table postrider.alert_target add column owner text collate "C" not null default session_user;
