-- What is remembered of failures.
set local role postrider_owner;
