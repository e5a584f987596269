-- The ledger stays small: with a thousand claims a second a day of finished leases would be tens of gigabytes. Nobody asks for
-- one after the minutes in which its report may come again.
set local role postrider_owner;

update postrider.setting set value = '1 hour' where name = 'lease_keep' and value = '1 day';
