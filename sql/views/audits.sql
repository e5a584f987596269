-- audits: the actions of operators, with their reasons.
create or replace view postrider.audits as
select a.id as audit, a.at, a.actor, a.role, a.action, a.reason, a.filter, a.before, a.after from postrider.audit a;
