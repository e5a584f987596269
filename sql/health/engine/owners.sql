-- Consumers without an owner, or with one that does not exist.
select case when r.rolname is null and c.owner is not null then 'warning' else 'note' end as level,
       case when c.owner is null then format('consumer %s has no owner', c.consumer)
            else format('consumer %s belongs to the role %s, which does not exist', c.consumer, c.owner) end as what,
       case when c.owner is null then 'the role of the first worker that registers becomes the owner, whichever role it is'
            else 'no worker can register for it' end as why,
       format('postrider consumers transfer %s --to ROLE --reason …', c.consumer) as todo
from (select distinct consumer, owner from postrider.consumers) c
left join pg_roles r on r.rolname = c.owner
where r.rolname is null
