// Why: whoever registers an address or pays from it is not yet its owner. Routing by address is off where labels give the
// address to somebody else, a changed chain asks for the wallet again, and satoshi tests of tenants do not touch each other.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(FACTS + ATTESTATIONS + SATOSHI_TESTS + CHOSEN_BEFORE);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    update transactions set hold = 'RULE' where hold = 'INCOMPLETE_PARTY';
    update transactions set blocked_hold = 'RULE' where blocked_hold = 'INCOMPLETE_PARTY';
    ${holdChecks(HOLDS_BEFORE)}
    alter table transactions drop column address_disputed_at, drop column awaits_wallet, drop column is_proof_doubted;
    drop table attested_addresses;
    delete from chain_observations o using chain_observations first
      where o.is_claim and first.is_claim and o.chain = first.chain and o.transaction_hash = first.transaction_hash
        and o.position = first.position and o.verification_id > first.verification_id;
    drop index chain_observations_claim;
    create unique index chain_observations_claim on chain_observations (chain, transaction_hash, position)
      where is_claim;
    drop index satoshi_watches_amount, satoshi_watches_sender, satoshi_watches_generated, satoshi_watches_unpinned;
    update satoshi_watches set generated = false where state <> 'DONE';
    create index satoshi_watches_amount on satoshi_watches (chain, recipient, asset, units, sender, armed_from)
      where state = 'OPEN';
    create index satoshi_watches_sender on satoshi_watches (chain, recipient, sender) where state = 'OPEN';
    create unique index satoshi_watches_generated on satoshi_watches (chain, recipient, asset, sender, units)
      where state <> 'DONE' and generated;
    alter table satoshi_watches drop column looks_back, drop column from_height;
    alter table verifications drop column is_satoshi_chosen;
  `);
}

const HOLDS_BEFORE = ['RULE', 'SANCTIONS', 'UNSCREENED', 'COUNTERPARTY'];

const holdChecks = (holds: readonly string[]) => {
  const words = holds.map((hold) => `'${hold}'`).join(', ');
  return `alter table transactions
    drop constraint transactions_hold_check,
    add constraint transactions_hold_check check (hold in (${words})),
    drop constraint transactions_blocked_hold_check,
    add constraint transactions_blocked_hold_check check (blocked_hold in (${words}));`;
};

// address_disputed_at: when labels gave the destination to another institution than the tenant that registered it.
// awaits_wallet: the originator changed the chain after delivery, and the receiver has no such wallet.
const FACTS = `
  alter table transactions
    add column address_disputed_at timestamptz(3),
    add column awaits_wallet boolean not null default false,
    add column is_proof_doubted boolean not null default false;
  ${holdChecks([...HOLDS_BEFORE, 'INCOMPLETE_PARTY'])}`;

const ATTESTATIONS = `
  create table attested_addresses (
    id uuid primary key,
    tenant_id uuid not null references tenants,
    address text not null, address_normal text not null,
    blockchain text not null, blockchain_key text not null,
    reason text not null,
    created_at timestamptz(3) not null
  );
  create unique index attested_addresses_address on attested_addresses (address_normal, blockchain_key, tenant_id);
  create index attested_addresses_tenant on attested_addresses (tenant_id, created_at desc, id desc);`;

// looks_back: the amount is the service's own and the deposit address is the tenant's, so that blocks from before the
// creation do no harm. Otherwise only blocks above from_height count, which is the chain's height at the creation.
const SATOSHI_TESTS = `
  alter table satoshi_watches
    add column looks_back boolean not null default true,
    add column from_height bigint;
  create index satoshi_watches_unpinned on satoshi_watches (chain)
    where state = 'OPEN' and not looks_back and from_height is null;
  drop index satoshi_watches_amount, satoshi_watches_sender, satoshi_watches_generated;
  create index satoshi_watches_amount on satoshi_watches (chain, recipient, tenant_id, asset, units, sender, armed_from)
    where state = 'OPEN';
  create index satoshi_watches_sender on satoshi_watches (chain, recipient, tenant_id, sender) where state = 'OPEN';
  create unique index satoshi_watches_generated on satoshi_watches (tenant_id, chain, recipient, asset, sender, units)
    where state <> 'DONE' and generated;
  drop index chain_observations_claim;
  create unique index chain_observations_claim on chain_observations (tenant_id, chain, transaction_hash, position)
    where is_claim;
  alter table verifications add column is_satoshi_chosen boolean not null default false;`;

// What was proven before by a chosen amount, or at somebody else's address, is no source of reuse any more.
const CHOSEN_BEFORE = `
  update verifications v set is_satoshi_chosen = true
  from satoshi_watches s
  where s.verification_id = v.id and (not s.generated or not exists (
    select from wallets w where w.tenant_id = v.tenant_id and w.address_normal = v.satoshi_deposit_normal
      and w.blockchain_key = v.blockchain_key and w.status = 'CONFIRMED'));`;
