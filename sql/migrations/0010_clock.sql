-- A clock that is set back hides nothing: a lease says itself how far its segment reaches, and until when the clock is not
-- believed.
set local role postrider_owner;

-- Nothing of the segment was published an hour or more after it. Mostly the later of done_at and open_at.
alter table postrider.lease add column ceiling_at timestamptz;
update postrider.lease set ceiling_at = greatest(done_at, open_at);
alter table postrider.lease alter column ceiling_at set not null;
-- Transactions below it may have published by another clock.
alter table postrider.lease add column doubt_xid xid8;

-- Nobody asks for it.
drop function if exists postrider.segment(postrider.lease);
