// Why: a transfer is screened and decided on before it goes on, what was found is kept beside it, and what a reviewer must
// look at waits for that reviewer.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(COLUMNS);
  await knex.raw(SCREENINGS);
  await knex.raw(RESCREENED);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table sanctions_versions drop column rescreened_at;
    drop table transaction_screenings;
    drop index transactions_subject, transactions_open, transactions_resubmission;
    alter table transactions drop column gate, drop column gate_since, drop column hold, drop column resubmission_of,
      drop column subject_token;
  `);
}

// gate: DUE is to be screened and decided, OPEN was, RELEASED was by a reviewer, RECHECK is to be compared with the lists
// again; null goes through no gate. What the version before writes is due, and so is what it has not sent yet. hold: why it is
// held. subject_token: a keyed token of whose transfer it is, for sums over a customer; null where the transfer does not say.
const COLUMNS = `
  alter table transactions
    add column gate text default 'DUE' check (gate in ('DUE', 'OPEN', 'RELEASED', 'RECHECK')),
    add column gate_since timestamptz(3),
    add column hold text check (hold in ('RULE', 'SANCTIONS', 'UNSCREENED', 'COUNTERPARTY')),
    add column resubmission_of uuid,
    add column subject_token bigint;
  create index transactions_subject on transactions (tenant_id, subject_token, created_at)
    where subject_token is not null;
  create index transactions_open on transactions (id)
    where status in ('PENDING', 'DELIVERED') and deleted_at is null;
  create unique index transactions_resubmission on transactions (resubmission_of)
    where resubmission_of is not null and status not in ('CANCELLED', 'DECLINED') and deleted_at is null;
  update transactions t
    set gate = case when n.test_behaviour is not null then null
        when t.status = 'PENDING' and (t.direction = 'OUTGOING' or t.origin_type = 'NON_CUSTODIAL') then 'DUE'
        else 'OPEN' end,
      gate_since = now()
    from tenants n where n.id = t.tenant_id;
`;

// One row for every time that a transfer was screened; content is sealed with the transfer's own key.
const SCREENINGS = `
  create table transaction_screenings (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    transaction_id uuid not null,
    record_version int not null,
    content bytea not null,
    created_at timestamptz(3) not null
  );
  create index transaction_screenings_newest on transaction_screenings (transaction_id, created_at desc, id desc);
`;

// When every open transfer had been compared with what the version brought.
const RESCREENED = 'alter table sanctions_versions add column rescreened_at timestamptz(3)';
