-- A producer in plain SQL: write your data and the event it causes in one transaction.
--
--   psql -d app -f plain_sql_producer.sql
\set ON_ERROR_STOP on

create table if not exists orders (number int primary key, total int);

begin;
insert into orders values (42, 4200);
select postrider.publish('order.placed', '{"order": 42, "total": 4200}', p_source => 'shop') as id;
commit;

begin;
insert into orders values (43, 1700);
select postrider.publish('order.placed', '{"order": 43, "total": 1700}', p_source => 'shop',
                         p_idempotency_key => 'order.placed 43') as id;
commit;

-- Rolled back, it never happened.
begin;
insert into orders values (44, 100);
select postrider.publish('order.placed', '{"order": 44, "total": 100}', p_source => 'shop') as id;
rollback;
