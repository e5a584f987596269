-- unsent_alerts: those that still have to be sent somewhere. Found from what is to be sent, however many alerts are kept.
-- postrider: after alerts
create or replace view postrider.unsent_alerts as
select a.* from postrider.alerts a where a.alert_id in (select s.alert_id from postrider.alert_sending s);
