-- Logical replication publishes an update or a delete only of tables that can identify a row, and refuses the statement on any
-- other. These have no primary key. The log needs none: rows are only added to it.
set local role postrider_owner;

alter table postrider.function_set replica identity full;
alter table postrider.dead_letter_tally replica identity full;
alter table postrider.dead_letter_sum replica identity full;
alter table postrider.deployment replica identity full;
reset role;
