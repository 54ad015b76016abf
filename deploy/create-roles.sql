-- Run once by the postgres image, when its volume is empty. Who gets hold of Temporal's password does not see personal
-- data, and who gets hold of that of api and worker (waybill_service) cannot remove the guards of the event log, since
-- waybill owns the tables. None of the three is a superuser. The migrations give waybill_service its rights. Temporal's
-- databases are made by temporal-schema.sh.
\set ON_ERROR_STOP on
\set waybill_password `cat /run/secrets/waybill_database_password`
\set service_password `cat /run/secrets/waybill_service_database_password`
\set temporal_password `cat /run/secrets/temporal_database_password`

create role waybill login password :'waybill_password';
create role waybill_service login password :'service_password';
create role temporal login createdb password :'temporal_password';
create database waybill owner waybill;
revoke connect on database waybill from public;
grant connect on database waybill to waybill_service;
