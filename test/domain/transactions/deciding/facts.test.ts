import { factsOf } from '../../../../domain/transactions/deciding/facts.ts';
import type { TransactionScreening } from '../../../../domain/transactions/deciding/screening.ts';
import { transactionRecord } from '../../../factories/transaction-record.ts';

type Aml = NonNullable<TransactionScreening['aml']>;

/** The facts about money laundering of a transfer of which the provider says this. */
function amlFacts(found: Pick<Aml, 'riskScore' | 'categories'>) {
  const aml = { status: 'COMPLETE', riskSeverity: null, ...found } as Aml;
  const screening = {
    sanctions: { nameMatch: false, addressMatch: false, subjects: [] },
    otherWallet: null,
    aml,
    wallet: null,
    notAsked: null,
    counterparty: null,
  };
  const { amlRiskScore, amlCategories } = factsOf(transactionRecord(), screening, {
    verification: null,
    beneficiaryMatch: null,
    counterpartyDuplicateIds: [],
    rolling24h: null,
  });
  return { amlRiskScore, amlCategories };
}

test.each<[what: string, found: Pick<Aml, 'riskScore' | 'categories'>, facts: object]>([
  ['a score', { riskScore: 12, categories: [] }, { amlRiskScore: '12', amlCategories: [] }],
  [
    'a score that a number writes with an exponent',
    { riskScore: 5e-7, categories: [] },
    { amlRiskScore: '0.0000005', amlCategories: [] },
  ],
  [
    'categories alone',
    { riskScore: null, categories: ['scam'] },
    { amlRiskScore: undefined, amlCategories: ['scam'] },
  ],
  [
    'nothing: it knows nothing, which is not that there is no category',
    { riskScore: null, categories: [] },
    { amlRiskScore: undefined, amlCategories: undefined },
  ],
])('what rules see of a provider that answers %s', (_, found, facts) => {
  expect(amlFacts(found)).toEqual(facts);
});
