import type { ChangeFeed } from '../../domain/events/feed.ts';
import type { Json, TestAnswer, TestApi } from '../api-client.ts';
import { ALL_TIME } from '../factories/backtests.ts';
import { upload } from '../factories/csv.ts';
import { formOf, png } from '../factories/evidence.ts';
import { decide } from '../factories/rule-decisions.ts';
import { insertProposal } from '../factories/people.ts';
import { configurations, draft, rule } from '../factories/rules.ts';
import type { TestTenant } from '../factories/tenant.ts';
import { createTransaction, deliver } from '../factories/transaction.ts';
import { PASSWORD } from '../factories/user.ts';
import { keyFor } from './attacks.ts';
import { CHOSEN_AMOUNT, SCANNED, type Target } from './target.ts';

/** What only the victim knows: nothing of it may reach another tenant. */
export const PRIVATE_WORDS = ['quetzalcoatl', 'huitzilopochtli', 'ACC-4711'];
const [NOTE, REASON, ACCOUNT] = PRIVATE_WORDS;

type Answers = TestAnswer<unknown>[];

/** A tenant, what others know of it, and another tenant that sends messages to it. */
export interface Victim {
  api: TestApi;
  tenant: TestTenant;
  friend: TestTenant;
  target: Target;
}

/** Calls the API as the victim does; throws unless the call succeeds. Keeps the id of what was made under `name`. */
function recorder({ tenant, target }: Victim) {
  const answers: Answers = [];
  const keep = async (made: Promise<TestAnswer<Json>>, name?: keyof Target['ids']): Promise<Json> => {
    const answer = await made;
    if (answer.status >= 300) throw new Error(`refused: ${JSON.stringify(answer.body)}`);
    answers.push(answer);
    if (name) target.ids[name] = String(answer.body['id']);
    return answer.body;
  };
  const post = async (path: string, body: unknown, name?: keyof Target['ids']): Promise<Json> => {
    const headers = { 'Idempotency-Key': keyFor(path, target) };
    return await keep(tenant.post(path, body, { headers }), name);
  };
  return { answers, keep, post };
}

/** Opens everything that a tenant has: wallets, transactions, a verification, screenings, rules, keys, webhooks. */
export async function openRecords(victim: Victim): Promise<Answers> {
  const calls = recorder(victim);
  const { answers, keep, post } = calls;
  const { tenant, target } = victim;
  await keep(tenant.patch('/tenant/me', { webhookUrl: target.webhookUrl }));
  const wallet = (address: string) => ({ address, asset: 'ETH', blockchain: 'Ethereum' });
  await post('/wallets', wallet(target.destination), 'wallets');
  await keep(tenant.post('/wallets', { ...wallet(target.deposit), blockchain: SCANNED }));
  await uploadFile(victim);
  await openTransactions(victim, calls);
  await openClaims(victim, calls);
  await openVerifications(victim, calls);
  await openScreenings(victim, calls);
  await openRules(victim, calls);
  await post('/tenant/me/api-keys', { name: target.name }, 'apiKeys');
  const { user } = await post('/users', { email: target.userEmail, password: PASSWORD, name: NOTE });
  target.ids.users = String((user as Json)['id']);
  target.ids.proposals = await insertProposal(victim.api, tenant.id);
  // Nothing is sent here, so it holds back nothing that the tests look for.
  await post('/tenant/me/brakes', { kind: 'WEBHOOKS', reason: NOTE }, 'brakes');
  const wanted = { resource: 'transactions', filter: {}, format: 'CSV', purpose: NOTE };
  await post('/exports', wanted, 'exports');
  const hold = { hold: true, reason: NOTE };
  await keep(tenant.put(`/transactions/${target.ids.archive}/legal-hold`, hold));
  await post('/tenant/me/webhook/test', undefined, 'webhookDeliveries');
  const feed = await tenant.get<ChangeFeed>('/events');
  target.cursor = feed.body.nextCursor ?? target.cursor;
  return answers;
}

type Calls = ReturnType<typeof recorder>;

/** There is no worker here: the import is stored, and its answer is 503. */
async function uploadFile({ api, tenant, target }: Victim): Promise<void> {
  await upload(tenant, target.csvFile, { 'Idempotency-Key': keyFor('/wallets/upload-csv', target) });
  const { rows } = await api.db.pool.query<{ id: string }>(
    'select id from wallet_imports where tenant_id = $1',
    [tenant.id],
  );
  target.ids.imports = rows[0]?.id ?? target.ids.imports;
}

async function openTransactions(
  { api, tenant, friend, target }: Victim,
  { keep, post }: Calls,
): Promise<void> {
  const { destination, transactionHash, reference, customer } = target;
  const party = { name: customer, accountNumber: ACCOUNT };
  const deposit = {
    direction: 'INCOMING',
    asset: 'ETH',
    amount: '1.5',
    reference,
    internalNote: NOTE,
    vaspInfo: { originatorVaspName: 'Far Away Exchange' },
    beneficiary: party,
    blockchainInfo: {
      blockchain: 'Ethereum',
      destination,
      destinationType: 'CUSTODIAL',
      transactionHash,
      origin: target.origin,
    },
  };
  await post('/transactions', deposit, 'transactions');
  const { direction: _direction, vaspInfo: _vaspInfo, ...payout } = deposit;
  await keep(tenant.post('/transactions', { ...payout, reference: `${reference}-2` }), 'archive');
  const message = { originator: party, blockchainInfo: { blockchain: 'Ethereum', destination } };
  const sent = await createTransaction(friend, message);
  target.ids.incoming = await deliver(api, friend, tenant, sent.id);
}

async function openClaims({ target }: Victim, { post }: Calls): Promise<void> {
  const { destination, transactionHash, customer, origin } = target;
  const claim = {
    asset: 'ETH',
    blockchainInfo: { blockchain: 'Ethereum', transactionHash, destination, origin },
    vaspInfo: { originatorVaspName: 'Far Away Exchange' },
    beneficiary: { name: customer },
  };
  await post('/claims', claim, 'claims');
}

async function openVerifications({ api, tenant, target }: Victim, { keep, post }: Calls): Promise<void> {
  const body = { asset: 'ETH', blockchain: SCANNED, address: target.selfHosted, metadata: NOTE };
  const selfie = { ...body, additionalSteps: [{ kind: 'SELFIE' }] };
  const { id } = await post('/wallet-verification', selfie, 'walletVerification');
  const given = await fetch(`${api.url}/wallet-verification/${String(id)}/additional-steps/SELFIE`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({}, [{ fileName: 'a.png', content: png({ text: target.name }) }]),
  });
  const { additionalSteps } = (await given.json()) as { additionalSteps: { documents: { id: string }[] }[] };
  target.ids.files = additionalSteps[0]?.documents[0]?.id ?? '';
  const declared = await keep(tenant.post('/wallet-verification', body));
  const path = `/wallet-verification/${String(declared['id'])}/verification`;
  await post(path, { verificationFlow: 'SELF_DECLARED' });
  const satoshi = { ...body, allowedFlows: ['SATOSHI_TEST'] };
  for (const amount of [{}, { amount: CHOSEN_AMOUNT }]) {
    const satoshiFlow = { depositAddress: target.deposit, ...amount };
    await keep(tenant.post('/wallet-verification', { ...satoshi, satoshiFlow }));
  }
}

async function openScreenings({ tenant, target }: Victim, { keep, post }: Calls): Promise<void> {
  const name = { name: 'Barnabas Ravenscroft', aliases: [target.customer] };
  await post('/sanctions/search', name, 'screenings');
  const match = { screeningId: target.ids.screenings, listCode: 'OFAC_SDN', listingId: '1', note: NOTE };
  await post('/sanctions/suppressions', match, 'suppressions');
  await keep(tenant.get(`/kyw/Ethereum/${target.selfHosted}`), 'walletChecks');
  await keep(tenant.put('/tenant/me/service-keys', { feature: 'aml_check', provider: 'builtin' }));
  await keep(tenant.get(`/aml/analysis/Ethereum/wallet/${target.origin}`), 'amlChecks');
  await keep(tenant.patch(`/counterparties/${target.entityId}`, { note: NOTE }));
}

async function openRules({ api, tenant, target }: Victim, { post }: Calls): Promise<void> {
  const { id } = (await configurations(tenant)).OUTGOING;
  target.ids.ruleEngine = id;
  await draft(tenant, id, [rule({ id: target.ids.rules, reason: REASON })]);
  await post(`/rule-engine/${id}/publish`, { comment: 'first' });
  await decide(api.db, { tenantId: tenant.id, id: target.ids.archive, facts: { amount: '1' } });
  const all = { source: 'PUBLISHED', ...ALL_TIME };
  await post(`/rule-engine/${id}/backtest`, all, 'backtests');
}

/** Decides what `openRecords` has opened, and deletes one transaction. */
export async function decideRecords(victim: Victim): Promise<Answers> {
  const { answers, keep, post } = recorder(victim);
  const { tenant, target } = victim;
  const { transactions, incoming, archive } = target.ids;
  const declined = { status: 'DECLINED', statusReasoning: REASON, statusReasonCode: 'COMPLIANCE' };
  await keep(tenant.patch(`/transactions/${transactions}`, declined));
  await post(`/transactions/${incoming}/review`, { decision: 'PROCEED', reason: REASON });
  const deleted = await tenant.delete(`/transactions/${archive}`);
  const read = await Promise.all([transactions, incoming].map((id) => tenant.get(`/transactions/${id}`)));
  const review = { status: 'VERIFIED' };
  const step = `/wallet-verification/${target.ids.walletVerification}/additional-steps/SELFIE`;
  await keep(tenant.patch(step, review));
  return [...answers, deleted, ...read];
}
