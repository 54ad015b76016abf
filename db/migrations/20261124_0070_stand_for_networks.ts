// Why: a VASP outside of this deployment has no tenant. A gateway stands for it: a hidden tenant whose records are the other
// side's of messages to and from a partner, over TRP or by e-mail, so that both sides change together as between tenants.
// A gateway has no entity, no keys and no webhooks of its own. The version before takes gateways for tenants without an entity
// and does not start any more: stop api and worker before.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table tenants
      add column gateway text check (gateway in ('PARTNER', 'TRP', 'EMAIL')),
      alter column entity_id drop not null,
      alter column webhook_secret drop not null,
      add constraint tenants_gateway_stands
        check ((gateway is null) = (entity_id is not null) and (gateway is null) = (webhook_secret is not null));
    create unique index tenants_gateway on tenants (gateway) where gateway in ('TRP', 'EMAIL');
    insert into tenants (id, gateway, name, name_folded, created_at, updated_at)
      select id, 'PARTNER', 'PARTNER:' || name, 'GATEWAY:' || id, created_at, created_at from partners`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    delete from tenants where gateway is not null;
    drop index tenants_gateway;
    alter table tenants drop constraint tenants_gateway_stands, drop column gateway,
      alter column entity_id set not null, alter column webhook_secret set not null`);
}
