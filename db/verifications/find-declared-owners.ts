import type { WalletKey } from '../../domain/transactions/self-hosted-wallet.ts';
import type { Database } from '../database.ts';
import type { RecordRow } from '../records/record-table.ts';
import type { Queryable } from '../postgres.ts';
import { openVerificationRow } from './find-verification.ts';
import { READ_COLUMNS } from './row.ts';

/** A wallet has few owners, who may declare it for each transfer; of more declarations than this the newest count. */
const MAX_DECLARATIONS = 200;

interface Declaration {
  name: string;
  at: Date;
}

/** The names under which a wallet was declared to the tenant on the hosted page, by declarations that count as proofs. */
export async function findDeclaredOwners(...given: Parameters<typeof findDeclarations>): Promise<string[]> {
  return [...new Set((await findDeclarations(...given)).map(({ name }) => name))];
}

/**
 * These declarations, the newest first, on whichever chain: whoever has the key of an account has it on all its chains, and the
 * transfer may name one that is not known.
 */
export async function findDeclarations(
  db: Database,
  queryable: Queryable,
  tenantId: string,
  { addressNormal }: Pick<WalletKey, 'addressNormal'>,
): Promise<Declaration[]> {
  if (addressNormal === null) return [];
  const { rows } = await queryable.query<RecordRow>({
    name: 'find-declared-owners',
    text: `select ${READ_COLUMNS} from verifications v
      where v.tenant_id = $1 and v.address_normal = $2 and v.status = 'VERIFIED'
        and v.flow = 'SELF_DECLARED' and v.deleted_at is null
      order by v.verified_at desc, v.id desc limit ${MAX_DECLARATIONS}`,
    values: [tenantId, addressNormal],
  });
  const opened = await Promise.all(rows.map(async (row) => await openVerificationRow(db, row)));
  return opened.flatMap(({ record: { personal, verifiedAt } }) =>
    personal.declaration && verifiedAt ? [{ name: personal.declaration.name, at: verifiedAt }] : [],
  );
}
