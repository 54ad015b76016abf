import { setTimeout as delay } from 'node:timers/promises';
import type { PatchRuleDraft } from '@waybill/client';
import { detail, freshAddress, step, type DemoParty } from './demo-steps.ts';

type DraftRules = PatchRuleDraft['rules'];

const RULE: DraftRules[number] = {
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
  const id = await draft(alpine, [RULE]);
  const input = { amount: '12', amountEur: '30000', asset: 'ETH', beneficiaryCountry: 'IR' };
  const tried = await alpine.api.rules.simulate(id, { source: 'DRAFT', input });
  detail(
    `POST /rule-engine/${id}/simulate {"amountEur":"30000","beneficiaryCountry":"IR"} -> ${tried.decision}`,
  );
  await showBacktest(alpine, id);

  step('The officer publishes the rule; it applies from the next decision on.');
  await publish(alpine, id);
  try {
    const sent = await send(alpine, harbour, { amount: '12', country: 'IR' });
    await alpine.receiver.waitFor((body) => body.id === sent && body.subStatus === 'BLOCKED_BY_RULE');
    detail('A matching transfer: CANCELLED, BLOCKED_BY_RULE. Nothing was sent to the other side.');
  } finally {
    await draft(alpine, []);
    await publish(alpine, id);
  }

  step('A message to Harbour Custody waits for its decision: held, reviewed, released.');
  const sent = await send(alpine, harbour, { amount: '0.2', country: 'DE' });
  const incoming = await harbour.receiver.waitFor(
    (body) =>
      body.direction === 'INCOMING' &&
      body.subStatus === 'ON_HOLD' &&
      body.status === 'DELIVERED' &&
      body.amountDecimal === '0.2',
  );
  await harbour.api.transactions.review(incoming.body.id, { decision: 'PROCEED', reason: 'Known customer.' });
  await alpine.receiver.waitFor((body) => body.id === sent && body.status === 'CONFIRMED');
  detail(`POST /transactions/${incoming.body.id}/review {"decision":"PROCEED"}: Alpine received CONFIRMED`);
}

/** Replaces the draft for outgoing transfers; returns the id of their configuration. */
async function draft({ api }: DemoParty, rules: DraftRules): Promise<string> {
  const configurations = await api.rules.list();
  const outgoing = configurations.find(({ direction }) => direction === 'OUTGOING');
  if (!outgoing) throw new Error('There is no configuration for OUTGOING.');
  const { revision } = outgoing.draft;
  await api.rules.patchDraft(outgoing.id, { rules, defaultDecision: 'PROCEED', revision });
  return outgoing.id;
}

async function publish({ api }: DemoParty, id: string): Promise<void> {
  const { publishedVersion } = await api.rules.publish(id, { comment: 'Demo' });
  detail(`POST /rule-engine/${id}/publish -> version ${publishedVersion}`);
}

/** Back-tests the draft on all decisions so far and prints the result. */
async function showBacktest({ api }: DemoParty, id: string): Promise<void> {
  const from = '2020-01-01T00:00:00.000Z';
  const to = new Date().toISOString();
  const started = await api.rules.startBacktest(id, { source: 'DRAFT', from, to });
  let backtest = await api.rules.getBacktest(id, started.id);
  while (backtest.status === 'RUNNING') {
    await delay(300);
    backtest = await api.rules.getBacktest(id, started.id);
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
  await harbour.api.wallets.create({ address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  const { id } = await alpine.api.transactions.create({
    asset: 'ETH',
    amount,
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH' },
    beneficiary: { type: 'NATURAL', name: 'Jonas Brandt', country },
  });
  return id;
}
