#include "store/health.hpp"

namespace postrider::store {
namespace {

constexpr auto cluster = R"(
select 'problem' as level, 'the log was created in another database cluster, or this cluster was restored to an earlier state' as what,
       'its cursors are not valid in this cluster, so no message can be claimed' as why, 'after logical replication drop the subscription first; then: postrider rebase' as todo
where not postrider.is_home() or postrider.log_is_ahead())";

constexpr auto deployment = R"(
select 'problem' as level, format('the database belongs to deployment %s, expected %s', d.name, e.name) as what,
       'workers that expect the other deployment refuse to start' as why,
       format('connect to a database of %s; in a copy for %1$s: postrider adopt %1$s --drop-owed --reason …', e.name) as todo
from postrider.deployment() d
cross join (select nullif(current_setting('postrider.expected_deployment', true), '') as name) e
where e.name <> d.name
union all
select 'warning', 'the server looks like a copy of the server of deployment ' || d.name || ': ' || postrider.displaced(),
       'if the original is still running, workers deliver every message twice',
       format('in a copy: postrider adopt NAME --drop-owed --reason …; after moving the server: postrider adopt %s --reason …', d.name)
from postrider.deployment() d where postrider.displaced() is not null)";

constexpr auto partitions = R"(
select case when t.from_at > clock_timestamp() then 'note' else 'warning' end as level,
       case when t.from_at > clock_timestamp()
            then format('log partitions exist only up to %s', date_trunc('second', t.from_at))
            else format('messages are written to the last, open-ended log partition, which begins at %s', t.from_at) end as what,
       'no running worker does the maintenance, so old messages cannot be dropped by partition' as why,
       'postrider psql -c ''select * from postrider.maintain()''  -- running workers do this automatically' as todo
from postrider.partitions() t
where t.to_at = 'infinity'
  and t.from_at < clock_timestamp() + (select value::interval from postrider.setting where name = 'partition_interval'))";

// After the workers of a generation stop, its channel has consumers without workers, or no
// consumers.
constexpr auto consumers = R"(
select case when n.behind or c.behind_since < clock_timestamp() - current_setting('postrider.patience')::interval then 'problem' else 'warning' end as level,
       format('consumer %s on %s has no running worker: %s', c.consumer, c.channel,
              concat_ws(' and ', 'messages have been waiting since ' || date_trunc('second', c.behind_since),
                        case when c.pending > 0 then c.pending || ' deliveries are waiting' end)) as what,
       'its messages are not handled' as why,
       case when c.channel ~ '^outbox_gen_' then
           format('start a worker for that generation: postrider work --consumer %s --channel %s …', c.consumer, quote_literal(c.channel))
       else format('start its workers: postrider work --consumer %s --channel %s …', c.consumer, quote_literal(c.channel)) end as todo
from postrider.consumers c
cross join lateral (select c.pending > 0 and c.channel ~ '^outbox_gen_' as behind) n
where c.workers = 0 and not c.paused and (c.behind_since is not null or c.pending > 0)
union all
select 'warning', format('consumer %s on %s has been behind since %s', c.consumer, c.channel, date_trunc('second', c.behind_since)),
       'its messages are handled late',
       'postrider top shows its throughput; start more workers or raise --concurrency'
from postrider.consumers c
where c.workers > 0 and not c.paused and not c.held and c.behind_since < clock_timestamp() - current_setting('postrider.patience')::interval
union all
select 'note', format('consumer %s on %s is paused', c.consumer, c.channel), 'it receives no messages until an operator resumes it',
       format('postrider consumers resume %s --channel %s --reason …', c.consumer, quote_literal(c.channel))
from postrider.consumers c where c.paused)";

constexpr auto channels = R"(
select 'warning' as level,
       case when c.generation is null then format('channel %s has messages and no consumer', c.channel)
            else format('generation %s has messages and no consumer', c.generation) end as what,
       'no consumer claims them, and retention removes them unhandled' as why,
       format('postrider work --consumer … --channel %s --from-beginning …; or publish to another channel', quote_literal(c.channel)) as todo
from postrider.channels c where c.has_messages and c.consumers = 0)";

constexpr auto handlers = R"(
select case when h.pending > 0 then 'problem' else 'warning' end as level,
       format('no running worker has the handler %s of consumer %s%s', h.handler, h.consumer,
              case when h.pending > 0 then ': ' || h.pending || ' deliveries are waiting for it' else '' end) as what,
       'its messages are set aside until a worker with this handler starts' as why,
       format('start a worker that has it, or: select postrider.retire_handler(%L, %L, %L);', h.consumer, h.handler, h.channel) as todo
from postrider.handlers h
join postrider.consumers c on c.consumer = h.consumer and c.channel = h.channel
where h.workers = 0 and c.workers > 0)";

// Only targets are warnings: a message whose target does not exist is never handled. The other
// mismatches can be intended.
constexpr auto routing = R"(
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
where u.n <= 10)";

constexpr auto leases = R"(
select case when max(clock_timestamp() - l.deadline) > current_setting('postrider.patience')::interval then 'problem' else 'warning' end as level,
       format('%s messages of %s are in expired leases, the oldest since %s', sum(l.messages), l.consumer,
              date_trunc('second', min(l.deadline))) as what,
       'no running worker takes them back' as why,
       'postrider psql -c ''select * from postrider.reap()''' as todo
from postrider.leases l
where l.deadline < clock_timestamp() - interval '30 seconds'
group by l.consumer, l.channel)";

constexpr auto circuits = R"(
select case when h.circuit_mode = 'held' then 'note' else 'warning' end as level,
       case when h.circuit_mode = 'held' then format('handler %s of %s is held by an operator', h.handler, h.consumer)
            else format('the circuit of %s of %s has been %s since %s after %s consecutive failures%s', h.handler, h.consumer,
                        h.circuit_state, date_trunc('second', h.opened_at), h.failures_in_a_row,
                        ': ' || nullif(h.circuit_error_class, '')) end as what,
       'its messages wait until a probe succeeds; waiting uses no attempts' as why,
       format('repair the dependency, then: postrider handlers release %s %s --channel %s --reason …',
              h.consumer, h.handler, quote_literal(h.channel)) as todo
from postrider.handlers h where h.circuit_state <> 'closed')";

// While a consumer is behind, its workers poll, and a channel needs no keeper.
constexpr auto keeper = R"(
select 'warning' as level, format('channel %s has no keeper', c.channel) as what,
       'producers do not send NOTIFY, so its workers find new messages only when they poll' as why,
       'check again in ten seconds; if it persists, the workers receive no notifications (see notify) or do not use the doorbell' as todo
from postrider.channels c
where c.workers > 0 and c.wake = 'doorbell'
  and not exists (select from postrider.consumers s where s.channel = c.channel and s.behind_since is not null)
  and not exists (
      select from pg_locks k
      where k.locktype = 'advisory' and k.granted and k.objsubid = 2 and k.classid = postrider.lock_keeper()::oid
        and k.database = (select oid from pg_database where datname = current_database())
        and k.objid::bigint = (hashtext(c.channel)::bigint & 4294967295))
union all
select 'problem', format('the keeper of channel %s does not hold the doorbell: pid %s', c.channel, k.holder),
       'it holds the keeper lock but not the doorbell, so producers do not send NOTIFY and workers poll',
       format('make that program call postrider.doorbell_hold(), or end its session: select pg_terminate_backend(%s)', split_part(k.holder, ' ', 1))
from postrider.channels c
cross join lateral (select postrider.unserving_keeper(c.channel) as holder) k
where c.wake = 'doorbell' and k.holder is not null)";

// Producers hold the doorbell in shared mode; operators take the claim and partition locks at
// times.
constexpr auto locks = R"(
select 'problem' as level,
       format('the lock on %s is held by pid %s (user %s, application %s)',
              case k.classid when postrider.lock_doorbell()::oid then coalesce('the doorbell of ' || c.name, 'a doorbell')
                             when postrider.lock_claims()::oid then 'claims of consumer number ' || k.objid
                             when postrider.lock_keeper()::oid then coalesce('the keeper of ' || c.name, 'a keeper')
                             when postrider.lock_partitions()::oid then 'partitions' when postrider.lock_retention()::oid then 'retention' else 'the tally' end,
              k.pid, a.usename, coalesce(nullif(a.application_name, ''), 'unnamed')) as what,
       'that session is not a worker: claims fail or workers poll until it ends; any database user can take an advisory lock' as why,
       format('select pg_terminate_backend(%s); then revoke the pg_advisory_lock functions from PUBLIC, see SECURITY.md', k.pid) as todo
from pg_locks k
join pg_stat_activity a on a.pid = k.pid
left join postrider.channel c on k.objid::bigint = (hashtext(c.name)::bigint & 4294967295)
where k.locktype = 'advisory' and k.granted and k.objsubid = 2 and k.classid between postrider.lock_doorbell()::oid and postrider.lock_tally()::oid
  and k.database = (select oid from pg_database where datname = current_database())
  and (k.classid <> postrider.lock_doorbell()::oid or k.mode = 'ExclusiveLock')
  and not pg_has_role(a.usesysid, 'postrider_worker', 'member')
  and not (pg_has_role(a.usesysid, 'postrider_operator', 'member') and k.classid not in (postrider.lock_doorbell()::oid, postrider.lock_keeper()::oid)))";

constexpr auto owners = R"(
select case when r.rolname is null and c.owner is not null then 'warning' else 'note' end as level,
       case when c.owner is null then format('consumer %s has no owner', c.consumer)
            else format('consumer %s belongs to the role %s, which does not exist', c.consumer, c.owner) end as what,
       case when c.owner is null then 'the role of the first worker that registers becomes the owner, whichever role it is'
            else 'no worker can register for it' end as why,
       format('postrider consumers transfer %s --to ROLE --reason …', c.consumer) as todo
from (select distinct consumer, owner from postrider.consumers) c
left join pg_roles r on r.rolname = c.owner
where r.rolname is null)";

constexpr auto dead_letters = R"(
select case when max(g.last_seen) > clock_timestamp() - interval '1 hour' then 'warning' else 'note' end as level,
       format('%s dead letters of %s handlers, the newest at %s', sum(g.count), count(distinct (g.consumer, g.channel, g.handler)),
              date_trunc('second', max(g.last_seen))) as what,
       'an operator has to replay or discard them' as why, 'postrider dead-letters groups' as todo
from postrider.dead_letter_groups g
having count(*) > 0)";

constexpr auto replays = R"(
select 'note' as level,
       case r.phase when 'proposed' then format('replay %s of %s dead letters, proposed by %s, waits for approval', r.replay, r.total, r.actor)
                    else format('replay %s is paused: %s', r.replay, r.paused_reason) end as what,
       'it moves no messages until an operator decides' as why,
       case r.phase when 'proposed'
            then format('postrider replay status %s; postrider replay approve %1$s --reason …', r.replay)
            else format('postrider replay resume %s --reason …; or cancel', r.replay) end as todo
from postrider.replays r where r.phase in ('proposed', 'paused'))";

constexpr auto alerts = R"(
select 'warning' as level, format('%s%s alerts have been unsent for more than an hour', count(*), case when count(*) = 1000 then ' or more' else '' end) as what,
       'the people on call have not been notified' as why, 'postrider alerts --unsent; then start or repair the worker that sends alerts' as todo
from (select from postrider.unsent_alerts a where a.at < clock_timestamp() - interval '1 hour' limit 1000) a
having count(*) > 0)";

constexpr auto retention = R"(
select 'warning' as level, format('%s%s rows of %s are past their retention; last run: %s', case when s.exact then '' else 'about ' end, s.due, s.entity,
              coalesce(date_trunc('second', s.last_run_at)::text, 'never')) as what,
       'no running worker applies retention' as why,
       'postrider retention run  -- running workers do this automatically' as todo
from postrider.retention_status() s
where s.due > 0 and coalesce(s.last_run_at, '-infinity') < clock_timestamp() - interval '1 hour'
union all
select 'warning', 'old partitions of the log cannot be dropped: ' || s.held_by,
       'the log grows until the consumer has handled its messages in them',
       'start the workers of that consumer, or remove a consumer that is no longer needed: postrider consumers remove NAME --owed --reason WHY'
from postrider.retention_status() s where s.held_by is not null)";

// At most a note: claims in SQL are only slower.
constexpr auto native = R"(
select case when n.wanted and (not n.made or n.trouble is not null) then 'note' else 'ok' end as level,
       case when not n.wanted then 'claims are made in SQL'
            when not n.made then 'claims are made in SQL although postrider.native is on'
            when n.trouble is not null then 'claims are made in SQL although postrider.native is on: ' || n.trouble
            else 'claims are native' end as what,
       'native claims take a fraction of the server time' as why,
       'postrider migrate up  -- as a superuser; prints the missing requirement' as todo
from postrider.native_status() n)";

}  // namespace

std::vector<health_check> engine_checks() {
    return {
        {"cluster", "the log was created in this database cluster", cluster},
        {"deployment", "the server is the one recorded for its deployment", deployment},
        {"partitions", "log partitions are created ahead of time", partitions},
        {"consumers", "every consumer has workers and keeps up", consumers},
        {"channels", "every channel with messages has a consumer", channels},
        {"handlers", "every handler has a running worker", handlers},
        {"routing", "every target has a consumer and every event type a handler", routing},
        {"leases", "no lease is past its deadline", leases},
        {"circuits", "every circuit is closed", circuits},
        {"keeper", "every idle channel has a keeper that holds the doorbell", keeper},
        {"locks", "no other session holds an advisory lock of Postrider", locks},
        {"owners", "every consumer has an owner", owners},
        {"dead letters", "no dead letters", dead_letters},
        {"replays", "no replay waits for a decision", replays},
        {"native", "", native},
        {"alerts", "no alert has been unsent for more than an hour", alerts},
        {"retention", "no row is past its retention", retention},
    };
}

}  // namespace postrider::store
