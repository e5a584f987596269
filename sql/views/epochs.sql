-- epochs: the database clusters this log has lived in. The one rebased last is where its cursors mean something.
create or replace view postrider.epochs as
select e.system_identifier, e.first_seq, e.started_at, e.rebased_at from postrider.epoch e;
