-- The deployment of the database, against postrider.expected_deployment, and the place of its server.
select 'problem' as level, format('the database belongs to deployment %s, expected %s', d.name, e.name) as what,
       'workers that expect the other deployment refuse to start' as why,
       format('connect to a database of %s; in a copy for %1$s: postrider adopt %1$s --drop-owed --reason …', e.name) as todo
from postrider.deployment() d
cross join (select nullif(current_setting('postrider.expected_deployment', true), '') as name) e
where e.name <> d.name
union all
select 'warning', 'the server looks like a copy of the server of deployment ' || d.name || ': ' || postrider.server_mismatch(),
       'if the original is still running, workers deliver every message twice',
       format('in a copy: postrider adopt NAME --drop-owed --reason …; after moving the server: postrider adopt %s --reason …', d.name)
from postrider.deployment() d where postrider.server_mismatch() is not null
