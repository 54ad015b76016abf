import { findAsked, findAskedReceiver, type AskedTenant } from '../db/lifecycle/find-asked.ts';
import { findRematched } from '../db/lifecycle/find-rematched.ts';
import type { InTurn } from '../db/fair-turns.ts';
import { keepAnswer } from '../db/address-questions/keep-answer.ts';
import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import type { OutboxEntry } from '../db/outbox.ts';
import {
  ANSWER_DEADLINE_MS,
  QUESTION_KIND,
  readAnswer,
  type AddressAnswer,
  type AddressQuestion,
  type AskedAddress,
} from '../domain/address-questions/question.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import { signWebhook } from '../domain/webhooks/signature.ts';
import type { OutgoingHttp } from '../outside/outgoing-http.ts';
import { createQuestionBreaker } from './question-breaker.ts';

/** One for the process: whoever asks for a server that hangs learns it from the others. */
const breaker = createQuestionBreaker();

export interface QuestionDeps {
  db: Database;
  http: Pick<OutgoingHttp, 'post'>;
  now: () => Date;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
}

/** Of requests: registering a wallet waits for its route, and so in a turn of the tenant or partner that has the question asked. */
export interface RequestQuestionDeps extends QuestionDeps {
  writeInTurn: InTurn;
}

/**
 * Asks tenants whether the destination of a message that is still to be routed is theirs, all at once, and keeps the answers. An
 * address that is theirs is a registered wallet from then on, so routing and delivery find it as any other. No answer means no.
 */
export async function askHolders(deps: QuestionDeps, record: TransactionRecord): Promise<void> {
  const { direction, status, destinationType, blockchain } = record;
  const isToRoute = direction === 'OUTGOING' && status === 'PENDING' && destinationType === 'CUSTODIAL';
  if (!isToRoute || blockchain === null) return;
  const asked = await findAsked(deps.db, record, deps.now());
  // In the places of activities.
  await askAll(deps, asked, { address: record, inTurn: async (keep) => await keep() });
}

interface ReceiverQuestion {
  /** The tenant that is asked. */
  receiverTenantId: string;
  address: AskedAddress;
  /** The tenant or partner that has the question asked. */
  asker: string;
}

/** The same for a message whose receiver is known, before a wallet of it counts as detected. */
export async function askReceiver(
  deps: RequestQuestionDeps,
  { receiverTenantId, address, asker }: ReceiverQuestion,
): Promise<void> {
  if (address.blockchain === null) return;
  const asked = await findAskedReceiver(deps.db, receiverTenantId, address, deps.now());
  await askAll(deps, asked, { address, inTurn: async (keep) => await deps.writeInTurn(asker, keep) });
}

/** The same for a delivered message, before its blockchain changes to the given one. */
export async function askAboutChain(
  deps: RequestQuestionDeps,
  transaction: { tenantId: string; id: string },
  blockchain: string | null,
): Promise<void> {
  const rematched = await findRematched(deps.db.pool, transaction, blockchain);
  if (!rematched) return;
  const { tenantId: receiverTenantId, address } = rematched;
  await askReceiver(deps, { receiverTenantId, address, asker: transaction.tenantId });
}

interface Asking {
  address: AskedAddress;
  inTurn: (keep: () => Promise<OutboxEntry[]>) => Promise<OutboxEntry[]>;
}

async function askAll(
  deps: QuestionDeps,
  asked: readonly AskedTenant[],
  { address, inTurn }: Asking,
): Promise<void> {
  await Promise.all(
    asked.map(async (tenant) => {
      // That is no answer, for registered addresses alike, and is not kept: the pause ends for all of them at once.
      if (breaker.isPaused(tenant, deps.now())) return;
      const answer = await ask(deps, tenant, address);
      const kept = { tenantId: tenant.id, address, answer, registers: !tenant.isRegistered, now: deps.now() };
      deps.notifyWorkflows(await inTurn(async () => await keepAnswer(deps.db, kept)));
    }),
  );
}

async function ask(
  { http, now }: QuestionDeps,
  tenant: AskedTenant,
  { blockchain, destination, destinationTag }: AskedAddress,
): Promise<AddressAnswer> {
  const { url, secret } = tenant;
  const at = now();
  const question: AddressQuestion = {
    id: newId(at),
    blockchain: blockchain ?? '',
    address: destination,
    tag: destinationTag,
    createdAt: at.toISOString(),
  };
  const body = Buffer.from(JSON.stringify(question));
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Waybill',
    'X-Event-Type': QUESTION_KIND,
    'X-Event-Id': question.id,
    'Service-Signature': signWebhook(secret, at.getTime(), body),
  };
  const { outcome, error, responseExcerpt } = await http.post(url, headers, body, ANSWER_DEADLINE_MS);
  // That is no answer: whoever takes the message up again asks.
  if (error === 'SHUTTING_DOWN') throw new Error('the process stops');
  breaker.note(tenant, error === 'TIMEOUT', now());
  return outcome === 'DELIVERED' ? readAnswer(responseExcerpt) : { isOwn: false, fault: error ?? outcome };
}
