import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { newTransaction } from '../../domain/transactions/new-transaction.ts';
import type { RecordChange } from '../../domain/transactions/change.ts';
import type { PersonalData, TransactionRecord, VaspInfo } from '../../domain/transactions/record.ts';
import { CreateTransactionBody } from '../../domain/transactions/schema.ts';
import { subStatusOf } from '../../domain/transactions/sub-status.ts';
import type { SubStatus } from '../../domain/transactions/state.ts';

/** The moment at which records of this factory are made. */
export const NOW = new Date('2026-11-21T10:00:00.000Z');

export const DESTINATION = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

type CreateInput = z.input<typeof CreateTransactionBody>;
type BodyOverrides = Partial<Omit<CreateInput, 'blockchainInfo'>> & {
  blockchainInfo?: Partial<CreateInput['blockchainInfo']>;
};

/** The body of `POST /transactions` as a client sends it: the smallest valid one, with overrides. */
export function createBody(overrides: BodyOverrides = {}): CreateInput {
  return {
    asset: 'ETH',
    amount: '1.5',
    ...overrides,
    blockchainInfo: {
      destination: DESTINATION,
      destinationType: 'CUSTODIAL',
      ...overrides.blockchainInfo,
    },
  };
}

type PersonalOverrides = Partial<Omit<PersonalData, 'vaspInfo'>> & { vaspInfo?: Partial<VaspInfo> };
type RecordOverrides = Partial<Omit<TransactionRecord, 'personal'>> & { personal?: PersonalOverrides };

/** A record as the service makes it from `createBody()` (OUTGOING, PENDING and decided on unless overridden), not stored anywhere. */
export function transactionRecord(overrides: RecordOverrides = {}): TransactionRecord {
  const { record } = newTransaction(
    CreateTransactionBody.parse(createBody({ direction: overrides.direction ?? 'OUTGOING' })),
    {
      id: randomUUID(),
      tenant: { id: randomUUID(), name: 'Alpine Exchange', email: 'compliance@alpine.example' },
      actor: { kind: 'API_KEY', id: randomUUID() },
      now: NOW,
      price: undefined,
    },
  );
  const { personal, ...plain } = overrides;
  return {
    ...record,
    screeningState: 'CLEARED',
    screeningDueSince: null,
    ...plain,
    personal: {
      ...record.personal,
      ...personal,
      vaspInfo: { ...record.personal.vaspInfo, ...personal?.vaspInfo },
    },
  };
}

type ShownRecord = TransactionRecord & { subStatus: SubStatus | null };

/** A record with the subStatus that its tenant reads. */
export function shown(record: TransactionRecord): ShownRecord {
  return { ...record, subStatus: subStatusOf(record) };
}

/** A change whose record has the subStatus that its tenant reads; null when nothing changed. */
export function shownChange(
  change: RecordChange | null | undefined,
): (RecordChange & { after: ShownRecord }) | null {
  return change ? { ...change, after: shown(change.after) } : null;
}
