-- Replays that wait for a decision.
select 'note' as level,
       case r.phase when 'proposed' then format('replay %s of %s dead letters, proposed by %s, waits for approval', r.replay, r.total, r.actor)
                    else format('replay %s is paused: %s', r.replay, r.paused_reason) end as what,
       'it moves no messages until an operator decides' as why,
       case r.phase when 'proposed'
            then format('postrider replay status %s; postrider replay approve %1$s --reason …', r.replay)
            else format('postrider replay resume %s --reason …; or cancel', r.replay) end as todo
from postrider.replays r where r.phase in ('proposed', 'paused')
