import { applyTrpAnswer } from '../../db/lifecycle/apply-trp-answer.ts';
import { findBrakeOnWay } from '../../db/brakes/find-brake.ts';
import { isToDecideAnew } from '../../db/lifecycle/new-counterparty.ts';
import { isAsNoted } from '../../db/lifecycle/noted-basis.ts';
import { counterpartyOf } from '../../db/lifecycle/resolve-counterparty.ts';
import type { Database } from '../../db/database.ts';
import { retryWrite } from '../../db/retry-write.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { findTransactionOfWorkflow } from '../../db/transactions/find-transaction.ts';
import { isBehindLists } from '../../db/transactions/compared-lists.ts';
import { hasNewName } from '../../db/transactions/compared-names.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { inquiryHash } from '../../db/trp/inquiry-hash.ts';
import { noteSent, prepareInquiry } from '../../db/trp/transfers.ts';
import type { Party } from '../../domain/parties/party.ts';
import { decodeTravelAddress, type TravelAddressRules } from '../../domain/travel-address/travel-address.ts';
import type { TenantRecord } from '../../domain/tenants/tenant.ts';
import { isOverdue } from '../../domain/transactions/deadlines.ts';
import type { NotedBasis } from '../../domain/transactions/lifecycle/next-step.ts';
import type { TrpRoute } from '../../domain/transactions/lifecycle/route.ts';
import { isTravelAddressPassed } from '../../domain/transactions/lifecycle/travel-address-hold.ts';
import { isPassedUnscreened, needsScreening } from '../../domain/transactions/screening-due.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { writeInquiry } from '../../domain/trp/write-inquiry.ts';
import type { TrpClient, TrpFault } from './trp-client.ts';
import type { TrpPlaces } from './trp-places.ts';

/** What sending by the Travel Rule Protocol needs. */
export interface TrpDeps {
  db: Database;
  now: () => Date;
  trp: {
    client: TrpClient;
    places: TrpPlaces;
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
  /** What its verdict rests on, where that is not stored yet. */
  basis?: NotedBasis | null;
}

/** The activity that sends a message to the VASP of its travel address; a repeat has the same request identifier. */
export async function sendInquiry(
  deps: TrpDeps,
  { id, version, basis = null }: SendInput,
): Promise<'SENT' | 'FAILED' | 'CHANGED'> {
  const { db, trp } = deps;
  const open = await findTransactionOfWorkflow(db, id);
  if (!open || open.record.version !== version || open.record.status !== 'PENDING') return 'CHANGED';
  const { record } = open;
  // An inquiry has an amount; the answer to a claim may have none.
  if (record.amount === null) return 'FAILED';
  const { entityId, receiver } = await counterpartyOf(db.pool, record, db);
  if (receiver?.network !== 'TRP' || !(await maySend(deps, open, { entityId, receiver, basis })))
    return 'CHANGED';
  const decoded = decodeTravelAddress(receiver.travelAddress, trp.rules);
  if (!decoded.ok) return 'FAILED';
  const { url } = decoded;
  const { travelAddress } = receiver;
  return await trp.places(
    { what: 'INQUIRY', tenantId: record.tenantId, host: url.host },
    async () => await callVasp(deps, record, { url, travelAddress }),
  );
}

/** Sends the message, and takes what the VASP answers at once. */
async function callVasp(
  deps: TrpDeps,
  record: TransactionRecord,
  { url, travelAddress }: { url: URL; travelAddress: string },
): Promise<'SENT' | 'FAILED'> {
  const { db, trp } = deps;
  const { tenantId, id: sentId } = record;
  const message = { tenantId, sentId, travelAddress };
  const transfer = await prepareInquiry(db, {
    ...message,
    bodyHash: inquiryHash(db, record),
    now: deps.now(),
  });
  if (transfer.sentAt) return 'SENT';
  const body = await inquiryOf(deps, record, transfer.secrets.token);
  const sent = await trp.client.inquire(url, transfer.requestIdentifier, body);
  if (!sent.ok) {
    const { fault, statusCode } = sent;
    deps.reportTrpFault({ host: url.host, fault, statusCode });
    return 'FAILED';
  }
  const answer = sent.answer.approved || typeof sent.answer.rejected === 'string' ? sent.answer : null;
  const notedId = await retryWrite(async () => await noteSent(db, transfer, answer, deps.now()));
  // The message may have been withdrawn or sent another way meanwhile; any other one is answered once it is delivered.
  if (answer) await applyTrpAnswer(db, notedId, deps.now());
  return 'SENT';
}

interface SendChecks {
  entityId: string | null;
  receiver: TrpRoute;
  basis: NotedBasis | null;
}

/**
 * Whether everything that let the message be sent still stands: the activity may run much later than the step before it, and
 * what has left cannot be called back. The step is taken again where it does not.
 */
async function maySend(
  { db, now }: TrpDeps,
  open: OpenTransaction,
  { entityId, receiver, basis }: SendChecks,
): Promise<boolean> {
  const { record } = open;
  const { tenantId, hold, deletedAt, pairId, screeningState } = record;
  if (hold !== null || deletedAt !== null || pairId !== null || isOverdue(record, now())) return false;
  if (receiver.leadsElsewhere && !isTravelAddressPassed(record)) return false;
  const way = { senderTenantId: tenantId, receiverEntityId: receiver.entityId };
  if (await findBrakeOnWay(db.pool, { ...way, receiverTenantId: null, senderEntityId: null })) return false;
  if (basis) return needsScreening(record) && (await isAsNoted(db.pool, { record, entityId }, basis));
  if (needsScreening(record)) return false;
  if (screeningState !== 'REVIEWED') return true;
  if (await isToDecideAnew(db, open, entityId)) return false;
  if (isPassedUnscreened(record)) return true;
  return !(await isBehindLists(db.pool, record)) && !(await hasNewName(db, open, entityId));
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
