-- circuit_probes(consumer_id, handlers, deliveries): notes deliveries that are handed out as probes of handlers whose circuit is open or ramps up.
-- Touches: circuit; delivery (read).
create or replace function postrider.circuit_probes(p_consumer_id int, p_handlers text[], p_deliveries bigint[]) returns void
    language plpgsql volatile
    as $$
begin
    update postrider.circuit k
    set probes = k.probes || array(
        select d.id from postrider.delivery d where d.id = any (p_deliveries) and d.handler = k.handler)
    where k.consumer_id = p_consumer_id and k.handler = any (p_handlers) and k.state in ('open', 'ramp')
      -- circuit_admit() has locked these circuits.
      and exists (select from postrider.delivery d where d.id = any (p_deliveries) and d.handler = k.handler);
end
$$;
