import type { Database } from '../../../db/database.ts';
import {
  findTransactionsOfCustomer,
  findVerificationsOfCustomer,
  type SoughtCustomer,
} from '../../../db/dossiers/find-records-of-customer.ts';
import { findAnsweredClaims } from '../../../db/evidence/find-answered-claims.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { findVerification } from '../../../db/verifications/find-verification.ts';
import { findWallets } from '../../../db/wallets/find-wallets.ts';
import { findDestinationWallet } from '../../../db/wallets/match-wallet.ts';
import {
  DOSSIER_PURPOSES,
  DossierFilter,
  type DossierPurpose,
} from '../../../domain/exports/dossier/filter.ts';
import { partiesOfCustomer } from '../../../domain/exports/dossier/parties-of-customer.ts';
import { PRODUCT_VERSION } from '../../../domain/product-version.ts';
import type { TransactionRecord } from '../../../domain/transactions/record.ts';
import type { ExportInput, ExportPiece, ExportWriter } from '../export-writer.ts';
import { AUTHORITY_EDITION } from './authority-edition.ts';
import { DATA_SUBJECT_EDITION } from './data-subject-edition.ts';
import type { DossierEdition } from './edition.ts';

const EDITIONS: Record<DossierPurpose, DossierEdition> = {
  AUTHORITY: AUTHORITY_EDITION,
  DATA_SUBJECT: DATA_SUBJECT_EDITION,
};

const WALLETS_AT_ONCE = 500;

/** Writes all records of one customer as one JSON document. */
export const dossierWriter: ExportWriter = { pieces, columnsOf: () => null };

/** What the sections of a dossier are read for, and what was found so far. */
interface Dossier {
  db: Database;
  input: ExportInput;
  edition: DossierEdition;
  customer: SoughtCustomer;
  found: {
    transactions: number;
    claims: number;
    verifications: number;
    wallets: number;
    /** Records that the tenant has deleted, and that are kept until their retention ends. They are not shown. */
    deleted: { transactions: number; verifications: number };
  };
  walletIds: Set<number>;
}

async function* pieces(db: Database, input: ExportInput): AsyncGenerator<ExportPiece> {
  const { customerIdentification } = DossierFilter.parse(input.filter);
  const purpose = DOSSIER_PURPOSES.find((known) => known === input.purpose) ?? 'DATA_SUBJECT';
  const edition = EDITIONS[purpose];
  const dossier: Dossier = {
    db,
    input,
    edition,
    customer: { tenantId: input.tenantId, customerIdentification },
    found: {
      transactions: 0,
      claims: 0,
      verifications: 0,
      wallets: 0,
      deleted: { transactions: 0, verifications: 0 },
    },
    walletIds: new Set(),
  };
  yield words(`{"about":${JSON.stringify(aboutOf(dossier, purpose))},\n"transactions":[`);
  yield* listPieces(transactionsOf(dossier));
  yield words('],\n"verifications":[');
  yield* listPieces(verificationsOf(dossier));
  yield words('],\n"wallets":[');
  yield* listPieces(walletsOf(dossier));
  yield words(`],\n"found":${JSON.stringify(dossier.found)}}\n`);
}

function words(text: string): ExportPiece {
  return { text, rows: 0 };
}

function aboutOf({ input, edition, customer }: Dossier, purpose: DossierPurpose): object {
  const { id, tenantId, tenant, now } = input;
  return {
    format: 'waybill-dossier',
    formatVersion: 1,
    exportId: id,
    purpose,
    customerIdentification: customer.customerIdentification,
    tenant: { id: tenantId, name: tenant.name },
    createdAt: now.toISOString(),
    productVersion: PRODUCT_VERSION,
    notice: edition.notice,
  };
}

async function* listPieces(entries: AsyncIterable<object>): AsyncGenerator<ExportPiece> {
  let before = '\n';
  for await (const entry of entries) {
    yield { text: before + JSON.stringify(entry), rows: 1 };
    before = ',\n';
  }
}

async function* transactionsOf(dossier: Dossier): AsyncGenerator<object> {
  const { db, input, edition, customer, found, walletIds } = dossier;
  const { ids, deleted } = await findTransactionsOfCustomer(db, customer);
  found.deleted.transactions = deleted;
  for (const id of ids) {
    const open = await findOpenTransaction(db, customer.tenantId, id);
    const parties = open ? partiesOfCustomer(open.record, customer.customerIdentification) : [];
    // It was deleted or changed meanwhile.
    if (!open || parties.length === 0) continue;
    const claims = await findAnsweredClaims(db, open.record);
    found.transactions += 1;
    found.claims += claims.length;
    const walletId = await walletOf(db, open.record);
    if (walletId !== null) walletIds.add(walletId);
    yield await edition.transaction(db, { open, parties, claims }, input);
  }
}

/** The registered wallet to which the customer was paid. Of an outgoing transaction the destination is the other side's. */
async function walletOf({ pool }: Database, record: TransactionRecord): Promise<number | null> {
  const { direction, destinationWalletId, tenantId } = record;
  if (direction === 'OUTGOING') return null;
  return destinationWalletId ?? (await findDestinationWallet(pool, tenantId, record))?.id ?? null;
}

async function* verificationsOf({ db, edition, customer, found }: Dossier): AsyncGenerator<object> {
  const { ids, deleted } = await findVerificationsOfCustomer(db, customer);
  found.deleted.verifications = deleted;
  for (const id of ids) {
    const open = await findVerification(db, customer.tenantId, id);
    if (!open) continue;
    found.verifications += 1;
    yield await edition.verification(db, open);
  }
}

async function* walletsOf({ db, input, edition, found, walletIds }: Dossier): AsyncGenerator<object> {
  const ids = [...walletIds].toSorted((a, b) => a - b);
  for (let start = 0; start < ids.length; start += WALLETS_AT_ONCE) {
    const wallets = await findWallets(db, input.tenantId, ids.slice(start, start + WALLETS_AT_ONCE));
    found.wallets += wallets.length;
    for (const wallet of wallets) yield edition.wallet(wallet);
  }
}
