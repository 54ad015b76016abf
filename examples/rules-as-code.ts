import { isDeepStrictEqual } from 'node:util';
import { Waybill, type Schemas } from '@waybill/client';

/** Rules kept in version control: tried on cases, and published only if each is decided as expected and something changed. */
const { WAYBILL_URL = '', WAYBILL_KEY = '' } = process.env;
const waybill = new Waybill({ baseUrl: WAYBILL_URL, apiKey: WAYBILL_KEY });

type Decision = Schemas['RuleSimulation']['decision'];

/** With ids of their own, rules stay the same ones from version to version. */
const RULES: Schemas['RuleInput'][] = [
  {
    id: '2a4f0f0e-6c3c-4a51-9d0a-2f5d3c9e1b01',
    name: 'Large payouts are reviewed',
    conditions: { field: 'amount', operator: 'GT', value: '10000', currency: 'EUR' },
    decision: 'REVIEW',
    reason: 'More than EUR 10,000.',
  },
  {
    id: '2a4f0f0e-6c3c-4a51-9d0a-2f5d3c9e1b02',
    name: 'No payouts to countries under a call for action',
    conditions: { field: 'beneficiaryCountry', operator: 'IN', value: ['IR', 'KP', 'MM'] },
    decision: 'BLOCK',
    reason: 'FATF call for action.',
  },
];

const CASES: { name: string; input: Schemas['RuleFacts']; expected: Decision }[] = [
  { name: 'a small payout', input: { amountEur: '500', beneficiaryCountry: 'DE' }, expected: 'PROCEED' },
  { name: 'a large payout', input: { amountEur: '10000.01', beneficiaryCountry: 'DE' }, expected: 'REVIEW' },
  { name: 'a blocked country', input: { amountEur: '1', beneficiaryCountry: 'KP' }, expected: 'BLOCK' },
];

const configurations = await waybill.rules.list();
const { id, draft, published } = configurations.find(({ direction }) => direction === 'OUTGOING')!;
const rules = { rules: RULES, defaultDecision: 'PROCEED' } as const;

let failed = 0;
for (const { name, input, expected } of CASES) {
  const { decision, decidedBy } = await waybill.rules.simulate(id, { source: 'DRAFT', ...rules, input });
  if (decision !== expected) failed += 1;
  console.log(`${decision === expected ? 'ok' : 'NOT OK'}: ${name}: ${decision}, decided by ${decidedBy}`);
}

if (failed > 0) {
  console.log('Nothing was published.');
  process.exitCode = 1;
} else {
  const changed = await waybill.rules.patchDraft(id, { ...rules, revision: draft.revision });
  if (published && isDeepStrictEqual(changed.draft.rules, published.rules)) {
    console.log(`Version ${published.version} has these rules already.`);
  } else {
    const { revision } = changed.draft;
    const { publishedVersion } = await waybill.rules.publish(id, { comment: 'Rules as code', revision });
    console.log(`Version ${publishedVersion} decides from now on.`);
  }
}
