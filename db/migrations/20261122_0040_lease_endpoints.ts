// Why: an endpoint gets at most eight requests at once from all workers together, so they divide these places by leases.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table webhook_endpoint_leases (
      tenant_id uuid not null references tenants on delete cascade,
      origin text not null,
      worker_id uuid not null,
      wanted int not null check (wanted >= 0),
      places int not null check (places >= 0),
      until timestamptz(3) not null,
      primary key (tenant_id, origin, worker_id)
    )`);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table webhook_endpoint_leases');
}
