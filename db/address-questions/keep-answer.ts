import type { AddressAnswer, AskedAddress } from '../../domain/address-questions/question.ts';
import { DomainError } from '../../domain/errors.ts';
import { newWallet } from '../../domain/wallets/schema.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { registerWallet } from '../wallets/register-wallet.ts';

interface KeptAnswer {
  tenantId: string;
  address: AskedAddress;
  answer: AddressAnswer;
  /** False where the address is registered already. */
  registers: boolean;
  now: Date;
}

/** Keeps what a tenant has answered about an address. One that is its own becomes a wallet of it. */
export async function keepAnswer(db: Database, kept: KeptAnswer): Promise<OutboxEntry[]> {
  await db.vault.tenantKeys(kept.tenantId);
  try {
    return await inTransaction(db.pool, async (tx) => {
      await insertAnswer(tx, kept);
      if (!kept.answer.isOwn || !kept.registers) return [];
      const { outbox } = await registerWallet(db, tx, {
        ...kept,
        wallet: walletOf(kept.address),
        source: 'ANSWERED',
      });
      return outbox;
    });
  } catch (error) {
    // It was registered while the question was asked.
    if (!(error instanceof DomainError) || error.code !== 'conflict') throw error;
    await insertAnswer(db.pool, kept);
    return [];
  }
}

function walletOf({ destination, destinationTag, blockchain }: AskedAddress) {
  const tag = destinationTag === null ? {} : { tag: destinationTag };
  return newWallet({ address: destination, asset: '*', blockchain: blockchain ?? '', ...tag });
}

async function insertAnswer(db: Queryable, { tenantId, address, answer, now }: KeptAnswer): Promise<void> {
  await db.query(
    `insert into address_answers (tenant_id, address_normal, blockchain_key, tag, is_own, fault, answered_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, address_normal, blockchain_key, tag) do update
       set is_own = excluded.is_own, fault = excluded.fault, answered_at = excluded.answered_at`,
    [
      tenantId,
      address.destinationNormal,
      address.blockchainKey,
      address.destinationTag ?? '',
      answer.isOwn,
      answer.fault,
      now,
    ],
  );
}
