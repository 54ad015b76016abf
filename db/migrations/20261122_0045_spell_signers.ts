// Why: a text that was signed for an account is a replay for every spelling of it, and one key signs for Bitcoin and
// Bitcoin Cash alike. So the texts of an account are kept under one spelling, Bitcoin's.
import type { Knex } from 'knex';
import { signerKey } from '../../domain/addresses/shared-hashes.ts';

const ADDRESSES_AT_ONCE = 5_000;

export async function up(knex: Knex): Promise<void> {
  let last = '';
  for (;;) {
    const { rows } = await knex.raw<{ rows: { address: string }[] }>(
      'select distinct address_normal as address from signed_messages where address_normal > ? order by address limit ?',
      [last, ADDRESSES_AT_ONCE],
    );
    const moved = rows.map(({ address }) => address).filter((address) => signerKey(address) !== address);
    await knex.raw(MOVE, [moved, moved.map(signerKey)]);
    const read = rows.at(-1);
    if (!read || rows.length < ADDRESSES_AT_ONCE) return;
    last = read.address;
  }
}

// A text that was signed under two spellings belongs to the verification that was first to be stored under Bitcoin's.
const MOVE = `
  with spelled as (
    delete from signed_messages m using unnest(?::text[], ?::text[]) as k(spelling, key)
    where m.address_normal = k.spelling
    returning k.key, m.message_hash, m.tenant_id, m.verification_id, m.created_at
  )
  insert into signed_messages (address_normal, message_hash, tenant_id, verification_id, created_at)
  select key, message_hash, tenant_id, verification_id, created_at from spelled order by created_at
  on conflict do nothing`;

// Nothing says which spelling it was, and the version before knows Bitcoin's for the most of them.
export async function down(): Promise<void> {}
