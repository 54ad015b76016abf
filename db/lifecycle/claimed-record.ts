import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Direction } from '../../domain/direction.ts';
import { nameOneVasp } from '../../domain/entities/vasp-names.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import type { RecordRow } from '../records/record-table.ts';
import { openRow } from '../transactions/find-transaction.ts';
import { READ_COLUMNS } from '../transactions/row.ts';
import { senderFitOf } from './same-transfer.ts';

/** More records of one transfer than that are not looked at. */
const MAX_RECORDS = 20;

/** A tenant's living records of the transfer of a claim, the oldest first. A chain or tag that is not given fits any. */
export async function findRecordsOfClaim(
  db: Database,
  tx: Queryable,
  claim: ClaimRecord,
  direction: Direction,
): Promise<TransactionRecord[]> {
  const { tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag } = claim;
  const { rows } = await tx.query<RecordRow>({
    name: 'find-records-of-claim',
    text: `select ${READ_COLUMNS} from transactions
      where tenant_id = $1 and hash_normal = $2 and destination_normal = $3 and direction = $6
        and deleted_at is null and status <> 'CANCELLED'
        and (blockchain_key is null or blockchain_key = $4)
        and (destination_tag is null or $5::text is null or destination_tag = $5)
      order by id limit ${MAX_RECORDS}`,
    values: [tenantId, hashNormal, destinationNormal, blockchainKey, destinationTag, direction],
  });
  const opened = await Promise.all(rows.map(async (row) => await openRow(db, row)));
  return opened.map(({ record }) => record);
}

/** The asking tenant's records of the transfer that it claims. */
interface ClaimedRecords {
  /** The record of a message that has arrived from the VASP that the claim names; from any where it names none. */
  message: TransactionRecord | undefined;
  /** The record that the tenant has made itself and that a message may complete. */
  own: TransactionRecord | undefined;
}

/** Finds the asking tenant's records of the transfer that it claims. Its own one is that of `recordId`, where it is given. */
export async function findClaimedRecords(
  db: Database,
  tx: Queryable,
  claim: ClaimRecord,
  recordId?: string,
): Promise<ClaimedRecords> {
  const records = await findRecordsOfClaim(db, tx, claim, 'INCOMING');
  const { originatorVaspName: named } = claim.personal;
  const found: ClaimedRecords = { message: undefined, own: undefined };
  for (const record of records) {
    const { pairId, counterpartyEntityId, personal } = record;
    if (pairId === null) {
      const name = personal.vaspInfo.originatorVaspName;
      const isNamed = recordId === undefined || recordId === record.id;
      const fits = isNamed && (name === null || named === null || nameOneVasp(name, named));
      if (fits && isBefore(record, found.own)) found.own = record;
    } else if (counterpartyEntityId !== null) {
      const fit = await senderFitOf(tx, named, counterpartyEntityId);
      if (fit !== 'OTHER') found.message ??= record;
    }
  }
  return found;
}

/** Whether a record is claimed in the place of an earlier one, which its tenant has declined. */
function isBefore({ status }: TransactionRecord, other: TransactionRecord | undefined): boolean {
  return other === undefined || (other.status === 'DECLINED' && status !== 'DECLINED');
}
