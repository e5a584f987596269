-- alerts: every alert that is kept, and the targets to which it still has to be sent.
create or replace view postrider.alerts as
select a.id as alert_id, a.kind, a.at, a.event_id, a.event_type, a.source, a.target, a.handler_name, a.last_error, a.attempts,
       a.consumer, a.channel, a.delivery_id, a.cycle, a.fingerprint, a.error_class,
       array(select s.target from postrider.alert_sending s where s.alert_id = a.id order by s.target) as unsent
from postrider.alert a;
