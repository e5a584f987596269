-- Messages that have been throttled for long.
select 'warning' as level,
       format('%s messages of %s of %s are throttled, the oldest since %s', l.throttled, l.handler, l.consumer,
              date_trunc('second', l.throttled_since)) as what,
       format('the limit of the handler is reached: %s, running %s', l.definition, l.running) as why,
       format('postrider limit set %s %s --channel %s …, or wait', l.consumer, l.handler, quote_literal(l.channel)) as todo
from postrider.limits l where l.throttled_since < clock_timestamp() - interval '1 hour'
