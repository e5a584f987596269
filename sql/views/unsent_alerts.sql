-- unsent_alerts: alerts that still have to be sent to a target. Found by their pending sendings, so the cost does not
-- grow with the alerts that are kept.
-- postrider: after alerts
create or replace view postrider.unsent_alerts as
select a.* from postrider.alerts a where a.alert_id in (select s.alert_id from postrider.alert_sending s);
