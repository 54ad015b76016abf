import { applyTrpAnswer } from '../../db/lifecycle/apply-trp-answer.ts';
import { counterpartyOf } from '../../db/lifecycle/resolve-counterparty.ts';
import type { Database } from '../../db/database.ts';
import { retryWrite } from '../../db/retry-write.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import { inquiryHash } from '../../db/trp/inquiry-hash.ts';
import { noteSent, prepareInquiry } from '../../db/trp/transfers.ts';
import type { Party } from '../../domain/parties/party.ts';
import { decodeTravelAddress, type TravelAddressRules } from '../../domain/travel-address/travel-address.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { writeInquiry } from '../../domain/trp/write-inquiry.ts';
import type { TrpClient, TrpFault } from './trp-client.ts';

/** What sending by the Travel Rule Protocol needs. */
export interface TrpDeps {
  db: Database;
  now: () => Date;
  trp: {
    client: TrpClient;
    /** Where other VASPs reach our endpoints. */
    url: string;
    rules: TravelAddressRules;
  };
  /** Tells the operator of a VASP that does not take our messages. */
  reportTrpFault: (fault: { host: string; fault: TrpFault; statusCode: number | null }) => void;
}

interface SendInput {
  id: string;
  /** The version that was screened: another one has to be screened before it leaves. */
  version: number;
}

/** The activity that sends a message to the VASP of its travel address; a repeat has the same request identifier. */
export async function sendInquiry(
  deps: TrpDeps,
  { id, version }: SendInput,
): Promise<'SENT' | 'FAILED' | 'CHANGED'> {
  const { db, trp } = deps;
  const open = await findTransactionOfWorkflow(db, id);
  if (!open || open.record.version !== version || open.record.status !== 'PENDING') return 'CHANGED';
  const { record } = open;
  // An inquiry has an amount; the answer to a claim may have none.
  if (record.amount === null) return 'FAILED';
  const { receiver } = await counterpartyOf(db.pool, record, db);
  if (receiver?.network !== 'TRP') return 'CHANGED';
  const decoded = decodeTravelAddress(receiver.travelAddress, trp.rules);
  if (!decoded.ok) return 'FAILED';
  const { tenantId } = record;
  const message = { tenantId, sentId: id, travelAddress: receiver.travelAddress };
  const transfer = await prepareInquiry(db, {
    ...message,
    bodyHash: inquiryHash(db, record),
    now: deps.now(),
  });
  if (transfer.sentAt) return 'SENT';
  const body = await inquiryOf(deps, record, transfer.secrets.token);
  const sent = await trp.client.inquire(decoded.url, transfer.requestIdentifier, body);
  if (!sent.ok) {
    const { fault, statusCode } = sent;
    deps.reportTrpFault({ host: decoded.url.host, fault, statusCode });
    return 'FAILED';
  }
  const answer = sent.answer.approved || typeof sent.answer.rejected === 'string' ? sent.answer : null;
  await retryWrite(async () => await noteSent(db, transfer, answer, deps.now()));
  // The message may have been withdrawn meanwhile; any other one is answered once it is delivered.
  if (answer) await applyTrpAnswer(db, id, deps.now());
  return 'SENT';
}

async function inquiryOf({ db, trp }: TrpDeps, record: TransactionRecord, token: string): Promise<unknown> {
  const { tenant } = await getTenant(db, record.tenantId);
  const callback = `${trp.url}/trp/resolutions/${token}`;
  return writeInquiry(record, { callback, originatingVasp: vaspOf(tenant) }).body;
}

/** The tenant as IVMS101 has it. */
function vaspOf({ name, legalName, country, lei }: TenantRecord): Party {
  return {
    type: 'LEGAL',
    name: legalName ?? name,
    ...(country !== null && { country }),
    ...(lei !== null && { lei }),
  };
}
