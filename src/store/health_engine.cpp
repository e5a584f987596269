#include "store/health.hpp"

namespace postrider::store {
namespace {

constexpr auto cluster = R"(
select 'problem' as level, 'the log was made in another database cluster, or before this one was set back' as what,
       'its cursors mean nothing here, so nothing can be claimed' as why, 'postrider rebase' as todo
where not postrider.is_home() or postrider.log_is_ahead())";

constexpr auto deployment = R"(
select 'problem' as level, format('the database belongs to the deployment %s, expected is %s', d.name, e.name) as what,
       'workers that expect the other one refuse to work here' as why,
       format('connect to a database of %s; or, if this is a copy of its own: postrider adopt %1$s --reason …', e.name) as todo
from postrider.deployment() d
cross join (select nullif(current_setting('postrider.expected_deployment', true), '') as name) e
where e.name <> d.name
union all
select 'warning', 'the server looks like a copy of the one that deployment ' || d.name || ' was recorded on: ' || postrider.displaced(),
       'if the original is still running, workers deliver every message twice',
       format('in a copy: postrider adopt NAME --reason …; after moving the server: postrider adopt %s --reason …', d.name)
from postrider.deployment() d where postrider.displaced() is not null)";

constexpr auto partitions = R"(
select case when t.from_at > clock_timestamp() then 'note' else 'warning' end as level,
       case when t.from_at > clock_timestamp()
            then format('partitions of the log reach to %s only', date_trunc('second', t.from_at))
            else format('messages go into the tail of the log, which begins at %s', t.from_at) end as what,
       'nobody does the housekeeping: what is old cannot be dropped as a whole' as why,
       'postrider psql -c ''select * from postrider.maintain()''  -- a running worker does it by itself' as todo
from postrider.partitions() t
where t.to_at = 'infinity'
  and t.from_at < clock_timestamp() + (select value::interval from postrider.setting where name = 'partition_interval'))";

// A generation whose workers are gone is a channel with consumers and no workers, or with neither.
constexpr auto consumers = R"(
select case when n.behind or c.behind_since < clock_timestamp() - current_setting('postrider.patience')::interval then 'problem' else 'warning' end as level,
       format('nobody works for consumer %s on %s: %s', c.consumer, c.channel,
              concat_ws(' and ', 'messages wait since ' || date_trunc('second', c.behind_since),
                        case when c.pending > 0 then c.pending || ' deliveries wait' end)) as what,
       'what it is owed stays where it is' as why,
       case when c.channel ~ '^outbox_gen_' then
           format('start a worker of that generation: postrider work --consumer %s --channel %s …', c.consumer, quote_literal(c.channel))
       else format('start its workers: postrider work --consumer %s --channel %s …', c.consumer, quote_literal(c.channel)) end as todo
from postrider.consumers c
cross join lateral (select c.pending > 0 and c.channel ~ '^outbox_gen_' as behind) n
where c.workers = 0 and not c.paused and (c.behind_since is not null or c.pending > 0)
union all
select 'warning', format('consumer %s on %s is behind since %s', c.consumer, c.channel, date_trunc('second', c.behind_since)),
       'its messages are handled late',
       'postrider top shows its pace; give it more workers or a higher --concurrency'
from postrider.consumers c
where c.workers > 0 and not c.paused and not c.held and c.behind_since < clock_timestamp() - current_setting('postrider.patience')::interval
union all
select 'note', format('consumer %s on %s is paused', c.consumer, c.channel), 'it is handed nothing until somebody resumes it',
       format('postrider consumers resume %s --channel %s --reason …', c.consumer, quote_literal(c.channel))
from postrider.consumers c where c.paused)";

constexpr auto channels = R"(
select 'warning' as level,
       case when c.generation is null then format('channel %s has messages and no consumer', c.channel)
            else format('generation %s has messages and no consumer', c.generation) end as what,
       'nobody will ever claim them, and they hold back no retention' as why,
       format('postrider work --consumer … --channel %s --from-beginning …; or publish elsewhere', quote_literal(c.channel)) as todo
from postrider.channels c where c.has_messages and c.consumers = 0)";

constexpr auto handlers = R"(
select case when h.pending > 0 then 'problem' else 'warning' end as level,
       format('no live worker has the handler %s of consumer %s%s', h.handler, h.consumer,
              case when h.pending > 0 then ': ' || h.pending || ' deliveries wait for it' else '' end) as what,
       'what is for it is set aside and waits' as why,
       format('start a worker that has it, or: select postrider.retire_handler(%L, %L, %L);', h.consumer, h.handler, h.channel) as todo
from postrider.handlers h
join postrider.consumers c on c.consumer = h.consumer and c.channel = h.channel
where h.workers = 0 and c.workers > 0)";

// Only targets warn: a message for a consumer that does not exist reaches none. The others may be
// meant so.
constexpr auto routing = R"(
select case when u.kind = 'target_without_consumer' and u.last_published_at > clock_timestamp() - interval '1 day'
            then 'warning' else 'note' end as level,
       case u.kind
           when 'target_without_consumer' then
               format('%s of the newest messages on %s are for %s, which is no consumer there', u.messages, u.channel, u.name)
           when 'type_without_handler' then
               format('no handler takes the type %s of %s of the newest messages on %s', u.name, u.messages, u.channel)
           else format('handler %s of consumer %s on %s takes the type %s, which none of the newest messages has', u.handler,
                       u.consumer, u.channel, u.name) end || coalesce('; did you mean ' || u.closest || '?', '') as what,
       case u.kind
           when 'target_without_consumer' then 'no consumer receives them'
           when 'type_without_handler' then 'consumers pass over them'
           else 'the handler may wait for a type that is never published' end as why,
       case u.kind
           when 'target_without_consumer' then
               format('correct the target where it is published, or: postrider work --consumer %s --channel %s --from-beginning …',
                      quote_literal(u.name), quote_literal(u.channel))
           when 'type_without_handler' then 'register a handler for the type, or correct it where it is published'
           else 'correct the type where the handler is registered; nothing, if it is only rare' end as todo
from (select *, row_number() over (partition by kind order by messages desc, channel, name) as n from postrider.unmatched()) u
where u.n <= 10)";

constexpr auto leases = R"(
select case when max(clock_timestamp() - l.deadline) > current_setting('postrider.patience')::interval then 'problem' else 'warning' end as level,
       format('%s messages of %s are in leases that are over since %s', sum(l.messages), l.consumer,
              date_trunc('second', min(l.deadline))) as what,
       'nobody takes them back: workers do that, and none is running' as why,
       'postrider psql -c ''select * from postrider.reap()''' as todo
from postrider.leases l
where l.deadline < clock_timestamp() - interval '30 seconds'
group by l.consumer, l.channel)";

constexpr auto circuits = R"(
select case when h.circuit_mode = 'open' then 'note' else 'warning' end as level,
       case when h.circuit_mode = 'open' then format('handler %s of %s is held by hand', h.handler, h.consumer)
            else format('the circuit of %s of %s is %s since %s after %s failures in a row%s', h.handler, h.consumer,
                        h.circuit_state, date_trunc('second', h.opened_at), h.failures_in_a_row,
                        ': ' || nullif(h.circuit_error_class, '')) end as what,
       'its messages wait until a probe succeeds; none of them dies of it' as why,
       format('put right what it depends on, then: postrider handlers release %s %s --channel %s --reason …',
              h.consumer, h.handler, quote_literal(h.channel)) as todo
from postrider.handlers h where h.circuit_state <> 'closed')";

// While a consumer is behind, its workers poll, and a channel needs no keeper.
constexpr auto keeper = R"(
select 'warning' as level, format('channel %s has no keeper', c.channel) as what,
       'producers do not send NOTIFY, so its workers find new messages only when they poll' as why,
       'look again in ten seconds; if it stays, the workers receive no notifications (see notify) or do not use the doorbell' as todo
from postrider.channels c
where c.workers > 0 and c.wake = 'doorbell'
  and not exists (select from postrider.consumers s where s.channel = c.channel and s.behind_since is not null)
  and not exists (
      select from pg_locks k
      where k.locktype = 'advisory' and k.granted and k.objsubid = 2 and k.classid = postrider.lock_keeper()::oid
        and k.database = (select oid from pg_database where datname = current_database())
        and k.objid::bigint = (hashtext(c.channel)::bigint & 4294967295))
union all
select 'problem', format('the keeper of channel %s does not serve: pid %s', c.channel, k.holder),
       'it holds the keeper''s lock and not the doorbell, so producers do not send NOTIFY and workers have to poll',
       format('let that program call postrider.doorbell_hold(), or end it: select pg_terminate_backend(%s)', split_part(k.holder, ' ', 1))
from postrider.channels c
cross join lateral (select postrider.unserving_keeper(c.channel) as holder) k
where c.wake = 'doorbell' and k.holder is not null)";

// Producers share the bell; operators take the locks of claims and partitions now and then.
constexpr auto locks = R"(
select 'problem' as level,
       format('the lock of %s is held by pid %s (user %s, application %s)',
              case k.classid when postrider.lock_doorbell()::oid then coalesce('the bell of ' || c.name, 'a bell')
                             when postrider.lock_claims()::oid then 'claims of consumer number ' || k.objid
                             when postrider.lock_keeper()::oid then coalesce('the keeper of ' || c.name, 'a keeper')
                             when postrider.lock_partitions()::oid then 'partitions' when postrider.lock_retention()::oid then 'retention' else 'the tally' end,
              k.pid, a.usename, coalesce(nullif(a.application_name, ''), 'unnamed')) as what,
       'it is not a worker''s, so claims fail, or workers poll, until it is gone: any database user can take such a lock' as why,
       format('select pg_terminate_backend(%s); then revoke pg_advisory_lock and its kin from PUBLIC, as SECURITY.md says', k.pid) as todo
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
       case when c.owner is null then 'the first worker that registers becomes it, whoever runs it'
            else 'no worker can register for it' end as why,
       format('postrider consumers transfer %s --to ROLE --reason …', c.consumer) as todo
from (select distinct consumer, owner from postrider.consumers) c
left join pg_roles r on r.rolname = c.owner
where r.rolname is null)";

constexpr auto dead_letters = R"(
select case when max(g.last_seen) > clock_timestamp() - interval '1 hour' then 'warning' else 'note' end as level,
       format('%s dead letters of %s handlers, the newest at %s', sum(g.count), count(distinct (g.consumer, g.channel, g.handler)),
              date_trunc('second', max(g.last_seen))) as what,
       'somebody has to decide what becomes of them' as why, 'postrider dlq groups' as todo
from postrider.dead_letter_groups g
having count(*) > 0)";

constexpr auto replays = R"(
select 'note' as level,
       case r.phase when 'proposed' then format('replay %s of %s dead letters, proposed by %s, waits for approval', r.replay, r.total, r.actor)
                    else format('replay %s is paused: %s', r.replay, r.paused_reason) end as what,
       'it moves nothing until somebody decides' as why,
       case r.phase when 'proposed'
            then format('postrider replay status %s; postrider replay approve %1$s --reason …', r.replay)
            else format('postrider replay resume %s --reason …; or cancel', r.replay) end as todo
from postrider.replays r where r.phase in ('proposed', 'paused'))";

constexpr auto alerts = R"(
select 'warning' as level, format('%s%s alerts were not sent for more than an hour', count(*), case when count(*) = 1000 then ' or more' else '' end) as what,
       'those who should know do not' as why, 'postrider alerts --unsent; then start or repair whoever sends them' as todo
from (select from postrider.unsent_alerts a where a.at < clock_timestamp() - interval '1 hour' limit 1000) a
having count(*) > 0)";

constexpr auto retention = R"(
select 'warning' as level, format('%s%s rows of %s are kept longer than they should be; last run: %s', case when s.exact then '' else 'about ' end, s.due, s.entity,
              coalesce(date_trunc('second', s.last_run_at)::text, 'never')) as what,
       'nobody does the housekeeping' as why,
       'postrider retention run  -- a running worker does it by itself' as todo
from postrider.retention_status() s
where s.due > 0 and coalesce(s.last_run_at, '-infinity') < clock_timestamp() - interval '1 hour'
union all
select 'warning', 'old partitions of the log cannot be dropped: ' || s.held_by,
       'the log grows as long as a consumer is owed something in them',
       'start that consumer''s workers, or, if nobody needs it: postrider consumers remove NAME --owed --reason WHY'
from postrider.retention_status() s where s.held_by is not null)";

// Never worse than a note: claims in SQL do the same.
constexpr auto native = R"(
select case when n.made or not n.wanted then 'ok' else 'note' end as level,
       case when n.made then 'claims are native'
            when n.wanted then 'claims are made in SQL, though native ones are wanted'
            else 'claims are made in SQL' end as what,
       'native ones do the same and take the server a third of the time' as why,
       'postrider migrate up  -- as a superuser; it says what is missing' as todo
from (select exists (select from pg_proc p join pg_language l on l.oid = p.prolang
                     where p.pronamespace = to_regnamespace('postrider') and p.proname = 'exchange_native'
                       and l.lanname = 'c') as made,
             coalesce(current_setting('postrider.native', true) = 'on', false) as wanted) n)";

}  // namespace

std::vector<health_check> engine_checks() {
    return {
        {"cluster", "the log was made in this database cluster", cluster},
        {"deployment", "the server is the one its deployment was recorded on", deployment},
        {"partitions", "partitions of the log are made ahead of time", partitions},
        {"consumers", "every consumer is worked for and keeps up", consumers},
        {"channels", "every channel with messages has a consumer", channels},
        {"handlers", "every handler has a live worker", handlers},
        {"routing", "every target and event type matches", routing},
        {"leases", "no lease is overdue", leases},
        {"circuits", "every circuit is closed", circuits},
        {"keeper", "every idle channel has a keeper that serves", keeper},
        {"locks", "no stranger holds a lock of the engine", locks},
        {"owners", "every consumer belongs to a role", owners},
        {"dead letters", "there are none", dead_letters},
        {"replays", "none waits for a decision", replays},
        {"native", "", native},
        {"alerts", "all that were due are sent", alerts},
        {"retention", "nothing is kept longer than it should be", retention},
    };
}

}  // namespace postrider::store
