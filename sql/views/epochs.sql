-- epochs: the database clusters that have hosted this log. Its cursors are valid in the cluster that was rebased last.
create or replace view postrider.epochs as
select e.system_identifier, e.first_seq, e.started_at, e.rebased_at from postrider.epoch e;
