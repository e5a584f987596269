-- Circuits that are not closed.
select case when h.circuit_mode = 'held' then 'note' else 'warning' end as level,
       case when h.circuit_mode = 'held' then format('handler %s of %s is held by an operator', h.handler, h.consumer)
            when h.circuit_state = 'trial' then format('handler %s of %s is on trial, after failures since %s%s', h.handler, h.consumer,
                        date_trunc('second', h.opened_at), ': ' || nullif(h.circuit_error_class, ''))
            else format('the circuit of %s of %s has been %s since %s after %s consecutive failures%s', h.handler, h.consumer,
                        h.circuit_state, date_trunc('second', h.opened_at), h.failures_in_a_row,
                        ': ' || nullif(h.circuit_error_class, '')) end as what,
       case when h.circuit_state = 'trial' then 'messages that have failed wait until a new one succeeds, and take turns meanwhile; waiting uses no attempts'
            else 'its messages wait until a probe succeeds; waiting uses no attempts' end as why,
       format('repair ' || case when h.circuit_state = 'trial' then 'the dependency, or the handler for these messages' else 'the dependency' end
                  || ', then: postrider handlers release %s %s --channel %s --reason …',
              h.consumer, h.handler, quote_literal(h.channel)) as todo
from postrider.handlers h where h.circuit_state <> 'closed'
