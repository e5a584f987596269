-- Whether native claims are made where they are turned on. At most a note: claims in SQL are only slower.
select case when n.wanted and (not n.made or n.trouble is not null) then 'note' else 'ok' end as level,
       case when not n.wanted then 'claims are made in SQL'
            when not n.made then 'claims are made in SQL although postrider.native is on'
            when n.trouble is not null then 'claims are made in SQL although postrider.native is on: ' || n.trouble
            else 'claims are native' end as what,
       'native claims take a fraction of the server time' as why,
       'postrider migrate up  -- as a superuser; prints the missing requirement' as todo
from postrider.native_status() n
