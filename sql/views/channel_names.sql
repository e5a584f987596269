-- channel_names: the channels that have consumers or a setting (set_wake). A consumer makes no row of channel: a transaction that made one
-- and stayed open would keep the workers of other roles out of a new channel.
create or replace view postrider.channel_names as
select c.name from postrider.channel c
union
select o.channel from postrider.consumer o;
