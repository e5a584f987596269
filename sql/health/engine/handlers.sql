-- Handlers that no running worker of their consumer has.
select case when h.pending > 0 then 'problem' else 'warning' end as level,
       format('no running worker has the handler %s of consumer %s%s', h.handler, h.consumer,
              case when h.pending > 0 then ': ' || h.pending || ' deliveries are waiting for it' else '' end) as what,
       'its messages are set aside until a worker with this handler starts' as why,
       format('start a worker that has it, or: select postrider.retire_handler(%L, %L, %L);', h.consumer, h.handler, h.channel) as todo
from postrider.handlers h
join postrider.consumers c on c.consumer = h.consumer and c.channel = h.channel
where h.workers = 0 and c.workers > 0
