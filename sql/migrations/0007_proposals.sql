-- Replays that somebody asks for and somebody else has to approve.
set local role postrider_owner;

insert into postrider.setting (name, value, meaning) values
    ('proposal_keep', '7 days', 'how long a proposed replay can be approved');

alter table postrider.replay
    add column preview jsonb,  -- what was shown to the one who proposed it
    add column expires_at timestamptz,
    add column approved_by text,
    add column approved_at timestamptz,
    drop constraint replay_phase_check,
    add constraint replay_phase_check check (
        phase in ('proposed', 'canary', 'running', 'paused', 'cancelled', 'finished'));
create index replay_proposed_idx on postrider.replay (expires_at) where phase = 'proposed';
