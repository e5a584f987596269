-- retention_of(entity, class): the policy for an entity and a class: the class's own, or the one for *.
create or replace function postrider.retention_of(p_entity text, p_class text) returns postrider.retention_policy
    language sql stable
    as $$
    select p
    from postrider.retention_policy p
    where p.entity = p_entity and (p.class = p_class or p.class = '*')
    order by (p.class = '*')
    limit 1
    $$;
