-- Alerts that have been unsent for more than an hour.
select 'warning' as level, format('%s%s alerts have been unsent for more than an hour', count(*), case when count(*) = 1000 then ' or more' else '' end) as what,
       'the people on call have not been notified' as why, 'postrider alerts --unsent; then start or repair the worker that sends alerts' as todo
from (select from postrider.unsent_alerts a where a.at < clock_timestamp() - interval '1 hour' limit 1000) a
having count(*) > 0
