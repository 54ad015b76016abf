-- Run once by the postgres image, when its volume is empty. Two roles, so that who gets hold of Temporal's password does
-- not see personal data, and neither of the two is a superuser. Temporal's databases are made by temporal-schema.sh.
\set ON_ERROR_STOP on
\set waybill_password `cat /run/secrets/waybill_database_password`
\set temporal_password `cat /run/secrets/temporal_database_password`

create role waybill login password :'waybill_password';
create role temporal login createdb password :'temporal_password';
create database waybill owner waybill;
revoke connect on database waybill from public;
