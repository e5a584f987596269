-- top_handlers: handlers that fail, are held or have no worker, the worst first.
-- postrider: after handlers
create or replace view postrider.top_handlers as
select h.consumer, h.channel, h.handler, h.circuit_state, h.circuit_mode, h.failures_in_a_row, h.workers, h.pending,
       h.failed as dead_letters, extract(epoch from clock_timestamp() - h.opened_at)::float8 as open_seconds,
       h.circuit_error_class as error_class
from postrider.handlers h
where h.circuit_state <> 'closed' or h.failures_in_a_row > 0 or h.failed > 0 or (h.workers = 0 and h.pending > 0)
order by h.circuit_state = 'closed', h.failed desc, h.failures_in_a_row desc, h.consumer, h.handler;
