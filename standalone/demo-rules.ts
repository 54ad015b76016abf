import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

interface Configuration {
  id: string;
  direction: 'OUTGOING' | 'INCOMING';
  draft: { revision: number };
  publishedVersion: number;
}

interface Backtest {
  id: string;
  status: string;
  processed: number;
  changed: number;
}

const RULE = {
  name: 'Large transfers to two countries',
  conditions: {
    all: [
      { field: 'amount', operator: 'GT', value: '10000', currency: 'EUR' },
      { field: 'beneficiaryCountry', operator: 'IN', value: ['KP', 'IR'] },
    ],
  },
  decision: 'BLOCK',
};

/** A compliance officer tries a rule out, publishes it, and the rule stops the next transfer. */
export async function playRules(alpine: DemoParty, harbour: DemoParty): Promise<void> {
  step('A compliance officer drafts a rule: no transfers above EUR 10,000 to two countries.');
  const configuration = await draft(alpine, [RULE]);
  const path = `/rule-engine/${configuration.id}`;
  const input = { amount: '12', amountEur: '30000', asset: 'ETH', beneficiaryCountry: 'IR' };
  const tried = await alpine.api.post<{ decision: string }>(`${path}/simulate`, { source: 'DRAFT', input });
  detail(`POST ${path}/simulate {"amountEur":"30000","beneficiaryCountry":"IR"} -> ${tried.decision}`);
  await showBacktest(alpine, path);

  step('The officer publishes the rule; it applies from the next decision on.');
  await publish(alpine, path);
  try {
    const sent = await send(alpine, harbour, { amount: '12', country: 'IR' });
    await alpine.receiver.waitFor(({ body }) => body.id === sent && body['subStatus'] === 'BLOCKED_BY_RULE');
    detail('A matching transfer: CANCELLED, BLOCKED_BY_RULE. Nothing was sent to the other side.');
  } finally {
    await draft(alpine, []);
    await publish(alpine, path);
  }

  step('A message to Harbour Custody waits for its decision: held, reviewed, released.');
  const sent = await send(alpine, harbour, { amount: '0.2', country: 'DE' });
  const incoming = await harbour.receiver.waitFor(
    ({ body }) =>
      body.direction === 'INCOMING' &&
      body['subStatus'] === 'ON_HOLD' &&
      body.status === 'DELIVERED' &&
      body['amount'] === 0.2,
  );
  const review = { decision: 'PROCEED', reason: 'Known customer.' };
  await harbour.api.post(`/transactions/${incoming.body.id}/review`, review);
  await alpine.receiver.waitFor(({ body }) => body.id === sent && body.status === 'CONFIRMED');
  detail(`POST /transactions/${incoming.body.id}/review {"decision":"PROCEED"}: Alpine received CONFIRMED`);
}

async function draft({ api }: DemoParty, rules: unknown[]): Promise<Configuration> {
  const configurations = await api.get<Configuration[]>('/rule-engine');
  const outgoing = configurations.find(({ direction }) => direction === 'OUTGOING');
  if (!outgoing) throw new Error('There is no configuration for OUTGOING.');
  const { revision } = outgoing.draft;
  await api.patch(`/rule-engine/${outgoing.id}/draft`, { rules, defaultDecision: 'PROCEED', revision });
  return outgoing;
}

async function publish({ api }: DemoParty, path: string): Promise<void> {
  const { publishedVersion } = await api.post<Configuration>(`${path}/publish`, { comment: 'Demo' });
  detail(`POST ${path}/publish -> version ${publishedVersion}`);
}

/** Back-tests the draft on all decisions so far and prints the result. */
async function showBacktest({ api }: DemoParty, path: string): Promise<void> {
  const range = { source: 'DRAFT', from: '2020-01-01T00:00:00.000Z', to: new Date().toISOString() };
  let backtest = await api.post<Backtest>(`${path}/backtest`, range);
  while (backtest.status === 'RUNNING') {
    await new Promise((resolve) => setTimeout(resolve, 300));
    backtest = await api.get<Backtest>(`${path}/backtests/${backtest.id}`);
  }
  detail(
    `Back-test on ${backtest.processed} earlier transfers: the decision of ${backtest.changed} would have been different`,
  );
}

async function send(
  alpine: DemoParty,
  harbour: DemoParty,
  { amount, country }: { amount: string; country: string },
) {
  const destination = freshAddress();
  await harbour.api.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  const { id } = await alpine.api.post<{ id: string }>('/transactions', {
    asset: 'ETH',
    amount,
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country },
  });
  return id;
}
