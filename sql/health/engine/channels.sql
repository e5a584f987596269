-- Channels with messages and without a consumer.
select 'warning' as level,
       case when c.generation is null then format('channel %s has messages and no consumer', c.channel)
            else format('generation %s has messages and no consumer', c.generation) end as what,
       'no consumer claims them, and retention removes them unhandled' as why,
       format('postrider work --consumer … --channel %s --from-beginning …; or publish to another channel', quote_literal(c.channel)) as todo
from postrider.channels c where c.has_messages and c.consumers = 0
