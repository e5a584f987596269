-- Deliveries keep payload and headers as they were published: what jsonb makes of a document is another one, or none at all,
-- and a second attempt should be given what the first one was. Those that are older have them as jsonb.
set local role postrider_owner;

alter table postrider.delivery add column raw_payload json;
alter table postrider.delivery add column raw_headers json;
alter table postrider.delivery alter column payload drop not null;
