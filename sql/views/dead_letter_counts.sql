-- dead_letter_counts: how many dead letters there are of each handler, fingerprint and event type, as parts to be added up:
-- the sums and the changes since. It has few rows, whatever the number of dead letters.
create or replace view postrider.dead_letter_counts as
select s.consumer_id, s.handler, s.fingerprint, s.event_type, s.count from postrider.dead_letter_sum s
union all
select t.consumer_id, t.handler, t.fingerprint, t.event_type, t.change from postrider.dead_letter_tally t;
