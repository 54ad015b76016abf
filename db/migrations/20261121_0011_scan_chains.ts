// Why: a small transfer proves a wallet; blocks are read once for all verifications that wait, so the cost is per block.
import type { Knex } from 'knex';

export async function up(knex: Knex): Promise<void> {
  await knex.raw(CURSORS);
  await knex.raw(WATCHES);
  await knex.raw(OBSERVATIONS);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('drop table chain_observations, satoshi_watches, chain_blocks, chain_cursors');
}

// No cursor: nothing waits on the chain, and the next scan starts where it must. chain_blocks holds the newest ones, to
// find where a fork began.
const CURSORS = `
  create table chain_cursors (
    chain text primary key,
    height bigint not null,
    hash text not null,
    block_time timestamptz(3) not null,
    updated_at timestamptz(3) not null
  );
  create table chain_blocks (
    chain text not null,
    height bigint not null,
    hash text not null,
    block_time timestamptz(3) not null,
    primary key (chain, height)
  );
`;

// Of a verification that allows SATOSHI_TEST. `place` is a short number for the recipient. OPEN waits for its transfer, CLAIMED has one that is not accepted yet, DONE
// waits for nothing. Written before its verification, in the same transaction.
const WATCHES = `
  create table satoshi_watches (
    verification_id uuid primary key references verifications deferrable initially deferred,
    tenant_id uuid not null,
    chain text not null,
    asset text not null,
    sender text not null,
    recipient text not null,
    place int not null,
    units numeric not null,
    generated boolean not null,
    armed_from timestamptz(3) not null,
    deadline timestamptz(3) not null,
    submitted_at timestamptz(3),
    state text not null check (state in ('OPEN', 'CLAIMED', 'DONE'))
  );
  create index satoshi_watches_place on satoshi_watches (place, chain) where state = 'OPEN';
  create index satoshi_watches_amount on satoshi_watches (chain, recipient, asset, units, sender, armed_from)
    where state = 'OPEN';
  create index satoshi_watches_sender on satoshi_watches (chain, recipient, sender) where state = 'OPEN';
  create index satoshi_watches_armed on satoshi_watches (chain, armed_from) where state <> 'DONE';
  create index satoshi_watches_deadline on satoshi_watches (chain, deadline) where state = 'OPEN';
  create unique index satoshi_watches_generated on satoshi_watches (chain, recipient, asset, sender, units)
    where state <> 'DONE' and generated;
`;

// SEEN until deep enough, then APPLIED until nobody looks for a fork any more (SETTLED). ORPHANED: was applied, and a
// fork has dropped its block. One transfer claims one verification, once and for all.
const OBSERVATIONS = `
  create table chain_observations (
    verification_id uuid not null references satoshi_watches,
    tenant_id uuid not null,
    chain text not null,
    transaction_hash text not null,
    position int not null,
    verdict text not null,
    is_claim boolean not null,
    height bigint not null,
    block_hash text not null,
    block_time timestamptz(3) not null,
    state text not null check (state in ('SEEN', 'APPLIED', 'ORPHANED', 'SETTLED')),
    primary key (verification_id, transaction_hash, position)
  );
  create unique index chain_observations_claim on chain_observations (chain, transaction_hash, position)
    where is_claim;
  create unique index chain_observations_near_miss on chain_observations (verification_id, verdict)
    where not is_claim;
  create index chain_observations_at_work on chain_observations (chain, state, height) where state <> 'SETTLED';
`;
