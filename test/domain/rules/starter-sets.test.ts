import { checkRules } from '../../../domain/rules/check-rules.ts';
import { compileRules } from '../../../domain/rules/compile.ts';
import { evaluate } from '../../../domain/rules/evaluate.ts';
import type { Facts } from '../../../domain/rules/facts.ts';
import { STARTER_SETS, type StarterRules } from '../../../domain/rules/starter-sets.ts';
import { FATF } from '../../../domain/entities/jurisdictions.ts';
import { DIRECTIONS, type Direction } from '../../../domain/direction.ts';

const NOW = '2026-05-01T00:00:00.000Z';
const ALL = STARTER_SETS.flatMap(({ name, sets }) =>
  DIRECTIONS.map((direction) => ({ name, direction, set: sets[direction] })),
);

function checked({ rules, defaultDecision, onUndecided }: StarterRules) {
  let made = 0;
  const read = checkRules(
    { rules, defaultDecision, onUndecided },
    () => `019a0000-0000-7000-8000-${String((made += 1)).padStart(12, '0')}`,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  return read.ruleSet;
}

async function decisionOf(name: string, direction: Direction, facts: Facts): Promise<string> {
  const set = STARTER_SETS.find((one) => one.name === name)?.sets[direction];
  if (!set) throw new Error(name);
  const { decision, decidedBy, rules } = await evaluate(compileRules(checked(set)), facts, { now: NOW });
  return `${decision} ${rules.find(({ ruleId }) => ruleId === decidedBy)?.name ?? decidedBy}`;
}

const CLEAN: Facts = {
  amount: '1',
  amountEur: '900',
  originType: 'CUSTODIAL',
  destinationType: 'CUSTODIAL',
  originatorCountry: 'DE',
  beneficiaryCountry: 'FR',
  missingFields: [],
  counterpartyEntityId: '019a0000-0000-7000-8000-000000000001',
  counterpartyEntityCountry: ['FR'],
  counterpartyInNetwork: true,
  isDestinationConfirmed: true,
  amlRiskSeverity: 'low',
  sanctionsNameMatch: false,
  sanctionsAddressMatch: false,
  rolling24hAmount: '900',
  rolling24hCount: '1',
};

describe('starter sets', () => {
  test.each(ALL)('$name $direction is a draft as it is, with a comment for every rule', ({ set }) => {
    expect(checked(set).rules.length).toBeGreaterThan(2);
    expect(set.comments).toHaveLength(set.rules.length);
    expect(set.comments.every((comment) => comment.length > 40)).toBe(true);
    expect(set.onUndecided).toBe('REVIEW');
  });

  test('the set for high-risk countries says of what date its list is: the one that the directory has', () => {
    const { description = '', sets } = STARTER_SETS.find(({ name }) => name === 'high-risk-countries') ?? {};
    expect(description).toContain(`FATF (${FATF.asOf})`);
    const text = JSON.stringify(sets);
    for (const country of [...FATF.callForAction, ...FATF.increasedMonitoring])
      expect(text).toContain(`"${country}"`);
  });

  test.each(ALL)(
    '$name $direction holds every sanctions hit, and holds where nobody looked',
    async ({ set }) => {
      const compiled = compileRules(checked(set));
      for (const hit of [true, null]) {
        for (const name of ['sanctionsNameMatch', 'sanctionsAddressMatch']) {
          const found = await evaluate(compiled, { ...CLEAN, [name]: hit }, { now: NOW });
          expect(found).toMatchObject({ decision: 'REVIEW', restsOnSanctions: true });
        }
      }
    },
  );

  test.each<[string, Direction, Facts, string]>([
    ['conservative', 'OUTGOING', {}, 'PROCEED default'],
    ['conservative', 'OUTGOING', { amountEur: '10000.01' }, 'REVIEW Large transfer'],
    ['conservative', 'OUTGOING', { amountEur: null }, 'REVIEW undecided'],
    [
      'conservative',
      'OUTGOING',
      { missingFields: ['originator.accountNumber|blockchainInfo.origin'] },
      'REVIEW Incomplete data',
    ],
    ['conservative', 'OUTGOING', { rolling24hCount: '11' }, 'REVIEW Many transfers in a day'],
    ['conservative', 'OUTGOING', { amlRiskSeverity: 'high' }, 'REVIEW High risk in the AML check'],
    ['conservative', 'OUTGOING', { amlRiskSeverity: null }, 'REVIEW undecided'],
    ['conservative', 'INCOMING', {}, 'REVIEW default'],
    [
      'eu-self-hosted-over-1000',
      'OUTGOING',
      { destinationType: 'NON_CUSTODIAL', amountEur: '1000' },
      'PROCEED default',
    ],
    [
      'eu-self-hosted-over-1000',
      'OUTGOING',
      { destinationType: 'NON_CUSTODIAL', amountEur: '1000.01' },
      'REVIEW Self-hosted wallet over EUR 1,000 without proof',
    ],
    [
      'eu-self-hosted-over-1000',
      'OUTGOING',
      {
        destinationType: 'NON_CUSTODIAL',
        amountEur: '5000',
        walletVerificationStatus: 'VERIFIED',
        walletVerificationFlow: 'SIGNATURE_PROOF',
      },
      'PROCEED default',
    ],
    [
      'eu-self-hosted-over-1000',
      'OUTGOING',
      {
        destinationType: 'NON_CUSTODIAL',
        amountEur: '5000',
        walletVerificationStatus: 'VERIFIED',
        walletVerificationFlow: 'SELF_DECLARED',
      },
      'REVIEW Self-hosted wallet over EUR 1,000 without proof',
    ],
    [
      'eu-self-hosted-over-1000',
      'OUTGOING',
      { destinationType: 'NON_CUSTODIAL', amountEur: '5000', walletVerificationStatus: 'FAILED' },
      'REVIEW Self-hosted wallet over EUR 1,000 without proof',
    ],
    [
      'high-risk-countries',
      'OUTGOING',
      { beneficiaryCountry: 'IR' },
      'REVIEW Country with a call for action',
    ],
    ['high-risk-countries', 'OUTGOING', { originatorCountry: 'IR' }, 'PROCEED default'],
    [
      'high-risk-countries',
      'OUTGOING',
      { counterpartyEntityCountry: ['FR', 'KP'] },
      'REVIEW Country with a call for action',
    ],
    [
      'high-risk-countries',
      'OUTGOING',
      { counterpartyEntityCountry: ['VG'], amountEur: '1001' },
      'REVIEW Country under increased monitoring',
    ],
    ['high-risk-countries', 'INCOMING', { originatorCountry: 'MM' }, 'REVIEW Country with a call for action'],
    ['unknown-counterparty', 'OUTGOING', { counterpartyEntityId: null }, 'REVIEW Unknown counterparty'],
    [
      'unknown-counterparty',
      'OUTGOING',
      { counterpartyEntityId: null, destinationType: 'NON_CUSTODIAL' },
      'PROCEED default',
    ],
    [
      'unknown-counterparty',
      'OUTGOING',
      { counterpartyInNetwork: false, amountEur: '1000.01' },
      'REVIEW Counterparty outside this deployment',
    ],
    ['low-value-auto-confirm', 'INCOMING', { amountEur: '1000' }, 'PROCEED Low value, known and clean'],
    ['low-value-auto-confirm', 'INCOMING', { amountEur: '1000.01' }, 'REVIEW default'],
    ['low-value-auto-confirm', 'INCOMING', { rolling24hAmount: null }, 'REVIEW default'],
    ['low-value-auto-confirm', 'INCOMING', { counterpartyRiskSeverity: 'high' }, 'REVIEW default'],
  ])('%s %s with %j decides %s', async (name, direction, facts, wanted) => {
    expect(await decisionOf(name, direction, { ...CLEAN, ...facts })).toBe(wanted);
  });
});
