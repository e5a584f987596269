-- Targets and event types that match nothing. Only targets are warnings: a message whose target does not
-- exist is never handled. The other mismatches can be intended.
select case when u.kind = 'target_without_consumer' and u.last_published_at > clock_timestamp() - interval '1 day'
            then 'warning' else 'note' end as level,
       case u.kind
           when 'target_without_consumer' then
               format('%s of the newest messages on %s have the target %s, which is not a consumer of that channel', u.messages, u.channel, u.name)
           when 'type_without_handler' then
               format('no handler accepts event type %s of %s of the newest messages on %s', u.name, u.messages, u.channel)
           else format('handler %s of consumer %s on %s accepts event type %s, which none of the newest messages has', u.handler,
                       u.consumer, u.channel, u.name) end || coalesce('; did you mean ' || u.closest || '?', '') as what,
       case u.kind
           when 'target_without_consumer' then 'no consumer receives them'
           when 'type_without_handler' then 'consumers skip them'
           else 'the handler may wait for a type that is never published' end as why,
       case u.kind
           when 'target_without_consumer' then
               format('correct the target in the producer, or: postrider work --consumer %s --channel %s --from-beginning …',
                      quote_literal(u.name), quote_literal(u.channel))
           when 'type_without_handler' then 'register a handler for the type, or correct the type in the producer'
           else 'correct the type in the handler; no action if the type is only rare' end as todo
from (select *, row_number() over (partition by kind order by messages desc, channel, name) as n from postrider.unmatched()) u
where u.n <= 10
