-- Circuits that are not closed.
select case when h.circuit_mode = 'held' then 'note' else 'warning' end as level,
       case when h.circuit_mode = 'held' then format('handler %s of %s is held by an operator', h.handler, h.consumer)
            else format('the circuit of %s of %s has been %s since %s after %s consecutive failures%s', h.handler, h.consumer,
                        h.circuit_state, date_trunc('second', h.opened_at), h.failures_in_a_row,
                        ': ' || nullif(h.circuit_error_class, '')) end as what,
       'its messages wait until a probe succeeds; waiting uses no attempts' as why,
       format('repair the dependency, then: postrider handlers release %s %s --channel %s --reason …',
              h.consumer, h.handler, quote_literal(h.channel)) as todo
from postrider.handlers h where h.circuit_state <> 'closed'
