import type { BlockRef, ScannedBlock } from '../../domain/chain-scan/block.ts';
import { isClaim, type TransferObservation } from '../../domain/verifications/satoshi/judge-transfers.ts';
import { type Database } from '../database.ts';
import { columnNames, columnValues, unnestRows, unnestValues, type Column } from '../columns.ts';
import { lockCursor, REMEMBERED_BLOCKS } from './cursor.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

export interface SeenBlock {
  block: ScannedBlock;
  observations: readonly TransferObservation[];
  /** Hashes of transactions that a fork had dropped and that this block contains again. */
  returned: readonly string[];
}

/**
 * Advances the cursor by one block and stores what was observed in it, in one database transaction. False when
 * another scanner of the chain was faster.
 */
export async function recordBlock(
  db: Database,
  chain: string,
  parent: BlockRef,
  { block, observations, returned }: SeenBlock,
): Promise<boolean> {
  return await inTransaction(db.pool, async (tx) => {
    if (!(await lockCursor(tx, chain, parent))) return false;
    await tx.query({ name: 'advance-cursor', text: ADVANCE, values: advanceValues(chain, block) });
    if (observations.length > 0) await insertObservations(tx, chain, block, observations);
    if (returned.length > 0) await takeBack(tx, chain, block, returned);
    return true;
  });
}

const ADVANCE = `
  with advanced as (
    update chain_cursors set height = $2, hash = $3, block_time = $4, updated_at = now() where chain = $1
  ), forgotten as (
    delete from chain_blocks where chain = $1 and height <= $2 - ${REMEMBERED_BLOCKS}
  )
  insert into chain_blocks (chain, height, hash, block_time) values ($1, $2, $3, $4)`;

function advanceValues(chain: string, { height, hash, time }: ScannedBlock): unknown[] {
  return [chain, height, hash, time];
}

async function insertObservations(
  tx: Queryable,
  chain: string,
  block: ScannedBlock,
  observations: readonly TransferObservation[],
): Promise<void> {
  const columns: Column<TransferObservation>[] = [
    { name: 'verification_id', type: 'uuid', value: (row) => row.verificationId },
    { name: 'tenant_id', type: 'uuid', value: (row) => row.tenantId },
    { name: 'chain', type: 'text', value: () => chain },
    { name: 'transaction_hash', type: 'text', value: (row) => block.hashOf(row.transaction) },
    { name: 'position', type: 'int', value: (row) => row.position },
    { name: 'verdict', type: 'text', value: (row) => row.verdict },
    { name: 'is_claim', type: 'boolean', value: (row) => isClaim(row.verdict) },
    { name: 'height', type: 'bigint', value: () => block.height },
    { name: 'block_hash', type: 'text', value: () => block.hash },
    { name: 'block_time', type: 'timestamptz', value: () => block.time },
    { name: 'state', type: 'text', value: () => 'SEEN' },
  ];
  // The unique index leaves out a transfer that already claimed a verification of the tenant. A transfer cannot claim
  // a verification that accepts no more proofs.
  await tx.query(
    `with open as (
       select w.verification_id from satoshi_watches w
       where w.verification_id = any($1::uuid[]) and w.state = 'OPEN' for update
     ), inserted as (
       insert into chain_observations (${columnNames(columns)})
       select ${columnValues(columns)} from ${unnestRows(columns)} join open using (verification_id)
       on conflict do nothing returning verification_id, is_claim
     )
     update satoshi_watches w set state = 'CLAIMED' from inserted i
     where w.verification_id = i.verification_id and i.is_claim`,
    unnestValues(columns, observations),
  );
}

/** Accepted transfers that a fork dropped are in the chain again, in another block. */
async function takeBack(
  tx: Queryable,
  chain: string,
  { height, hash, time }: ScannedBlock,
  hashes: readonly string[],
): Promise<void> {
  await tx.query(
    `update chain_observations set state = 'APPLIED', height = $3, block_hash = $4, block_time = $5
     where chain = $1 and state = 'ORPHANED' and transaction_hash = any($2::text[])`,
    [chain, hashes, height, hash, time],
  );
}
