import {
  isSameJudgement,
  type ScreeningJudgement,
} from '../../../../domain/transactions/deciding/verdict-validity.ts';
import type { TransactionScreening } from '../../../../domain/transactions/deciding/screening.ts';

type Subject = TransactionScreening['sanctions']['subjects'][number];

const subject = (role: string, found: Partial<NonNullable<Subject['screening']>> = {}): Subject => ({
  role,
  isReleased: false,
  screening: {
    id: `screening of ${role}`,
    kind: 'NAME',
    screenedName: 'Anna',
    sanctioned: false,
    totalMatches: 0,
    matches: [],
    suppressedMatches: 0,
    complete: true,
    missingLists: [],
    lists: [{ code: 'OFAC_SDN', version: 1, publishedAt: null }],
    thresholds: { review: 0.72, match: 0.88 },
    answeredBy: 'INDEX',
    engineVersion: '7',
    screenedAt: '2026-11-22T10:00:00.000Z',
    askedBy: { kind: 'SYSTEM', id: null },
    request: { name: 'Anna' },
    ...found,
  },
});

interface Differences {
  subjects?: Subject[];
  screening?: Partial<TransactionScreening>;
  decision?: Partial<ScreeningJudgement['decision']>;
}

const judgement = ({
  subjects = [subject('originator')],
  screening,
  decision,
}: Differences = {}): ScreeningJudgement => ({
  screening: {
    id: 'one',
    recordVersion: 2,
    screenedAt: '2026-11-22T10:00:00.000Z',
    sanctions: { nameMatch: false, addressMatch: false, subjects },
    otherWallet: null,
    aml: null,
    wallet: null,
    notAsked: 'NO_PROVIDER',
    counterparty: null,
    ...screening,
  },
  decision: {
    version: 1,
    evaluation: {
      decision: 'WAIT',
      decidedBy: 'rule',
      waitMinutes: 60,
      reason: null,
      restsOnSanctions: false,
      rules: [],
    },
    facts: { asset: 'ETH', counterpartyInNetwork: true },
    spent: [],
    waitUntil: new Date('2026-11-22T11:00:00.000Z'),
    ...decision,
  },
});

const AGAIN = subject('originator', {
  id: 'another',
  screenedAt: '2026-11-22T10:30:00.000Z',
  answeredBy: 'DATABASE',
});
const VASP = subject('beneficiaryVasp', { screenedName: 'Newcomer' });

test.each<[string, Differences]>([
  ['a repetition', { subjects: [AGAIN], screening: { id: 'two', screenedAt: '2026-11-22T10:30:00.000Z' } }],
  ['another counterparty', { decision: { facts: { asset: 'ETH', counterpartyEntityId: 'an id' } } }],
  ['a counterparty that the lists do not have', { subjects: [subject('originator'), VASP] }],
])('%s is the same judgement', (_, differences) => {
  expect(isSameJudgement(judgement(), judgement(differences))).toBe(true);
});

const LATER = [{ code: 'OFAC_SDN', version: 2, publishedAt: null }];
const { evaluation } = judgement().decision;

test.each<[string, Differences]>([
  ['a new version of a list', { subjects: [subject('originator', { lists: LATER })] }],
  ['another engine', { subjects: [subject('originator', { engineVersion: '8' })] }],
  ['a possible match', { subjects: [subject('originator', { totalMatches: 1 })] }],
  [
    'a possible match of the counterparty',
    { subjects: [subject('originator'), subject('beneficiaryVasp', { totalMatches: 1 })] },
  ],
  [
    'a counterparty that was not compared with all lists',
    { subjects: [subject('originator'), subject('beneficiaryVasp', { complete: false })] },
  ],
  ['another reason not to ask a provider', { screening: { notAsked: 'NO_CHAIN' } }],
  ['another fact', { decision: { facts: { asset: 'ETH', hasTransactionHash: true } } }],
  ['another rule', { decision: { evaluation: { ...evaluation, decidedBy: 'other' } } }],
  ['another version of the rules', { decision: { version: 2 } }],
  ['another end', { decision: { waitUntil: new Date('2026-11-22T12:00:00.000Z') } }],
])('%s is another judgement', (_, differences) => {
  expect(isSameJudgement(judgement(), judgement(differences))).toBe(false);
});
