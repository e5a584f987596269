-- A clock that is set back hides nothing: a lease says itself how far its segment reaches, and until when the clock is not
-- believed.
set local role postrider_owner;

-- Nothing of the segment was published an hour or more after it: open_at, or where the clock is doubted the end of the last
-- partition that has something. Who does not know that it has to be said, until the functions are new, too, looks everywhere.
alter table postrider.lease add column ceiling_at timestamptz not null default 'infinity';
update postrider.lease set ceiling_at = greatest(done_at, open_at);
-- Transactions below it may have published by another clock.
alter table postrider.lease add column doubt_xid xid8;

-- Nobody asks for it.
drop function if exists postrider.segment(postrider.lease);
