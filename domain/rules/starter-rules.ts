import type { z } from 'zod';
import { FATF } from '../entities/jurisdictions.ts';
import type { Direction } from '../direction.ts';
import type { Condition, FieldCondition, RuleInput } from './schema.ts';

export type StarterRule = z.input<typeof RuleInput>;

/** A rule and the reason for it. */
export interface CommentedRule {
  rule: StarterRule;
  comment: string;
}

const overEur = (value: string): FieldCondition => ({
  field: 'amount',
  operator: 'GT',
  value,
  currency: 'EUR',
});
const is = (field: FieldCondition['field'], value: string | boolean): FieldCondition => ({
  field,
  operator: 'EQ',
  value,
});
const isMissing = (field: FieldCondition['field']): FieldCondition => ({ field, operator: 'NOT_EXISTS' });

/** The counterparty's country and kind of wallet, by direction. */
const THEIR_COUNTRY: Record<Direction, FieldCondition['field']> = {
  OUTGOING: 'beneficiaryCountry',
  INCOMING: 'originatorCountry',
};
const THEIR_CUSTODY: Record<Direction, FieldCondition['field']> = {
  OUTGOING: 'destinationType',
  INCOMING: 'originType',
};

function hold(priority: number, name: string, conditions: Condition, comment: string): CommentedRule {
  return { rule: { name, priority, conditions, decision: 'REVIEW', reason: comment }, comment };
}

/** Rules of every set: no other rule may release their matches. */
const SANCTIONS: readonly CommentedRule[] = [
  hold(
    0,
    'Sanctioned wallet',
    is('sanctionsAddressMatch', true),
    'A wallet of the transfer is on a sanctions list. A person decides; nothing is sent or refused before.',
  ),
  hold(
    0,
    'Name on a sanctions list',
    is('sanctionsNameMatch', true),
    'A name is like one on a sanctions list. Most hits are other people of that name: compare dates and places of birth.',
  ),
];

const HIGH_RISK_WALLET = hold(
  10,
  'High risk in the AML check',
  is('amlRiskSeverity', 'high'),
  'The AML check found risky sources or receivers. Without an AML provider this rule is undecided: take it out then.',
);

function unknownCounterparty(direction: Direction): CommentedRule {
  return hold(
    20,
    'Unknown counterparty',
    { all: [is(THEIR_CUSTODY[direction], 'CUSTODIAL'), isMissing('counterpartyEntityId')] },
    'The wallet is held by a provider that is not known.',
  );
}

/** Rules that hold everything not known to be harmless. */
export function conservative(direction: Direction): CommentedRule[] {
  return [
    ...SANCTIONS,
    HIGH_RISK_WALLET,
    unknownCounterparty(direction),
    hold(
      30,
      'Self-hosted wallet without proof',
      { all: [is(THEIR_CUSTODY[direction], 'NON_CUSTODIAL'), unproven()] },
      'Nobody has proven that the self-hosted wallet is theirs.',
    ),
    hold(
      40,
      'Incomplete data',
      {
        field: 'missingFields',
        operator: 'CONTAINS_ANY',
        value: ['originator.name', 'beneficiary.name', 'originator.accountNumber'],
      },
      'A legally required name or account is missing.',
    ),
    hold(
      50,
      'Large transfer',
      overEur('10000'),
      'Over EUR 10,000 a person reviews the transfer, whoever it is from.',
    ),
    hold(
      50,
      'Many transfers in a day',
      {
        any: [{ field: 'rolling24hCount', operator: 'GT', value: '10' }, above('rolling24hAmount', '10000')],
      },
      'A sum may have been cut into pieces to stay below the limit above.',
    ),
  ];
}

/** A proof is missing or weak: a mere declaration proves nothing. */
function unproven(): Condition {
  const isVerified = is('walletVerificationStatus', 'VERIFIED');
  return {
    any: [
      isMissing('walletVerificationStatus'),
      { not: isVerified },
      is('walletVerificationFlow', 'SELF_DECLARED'),
    ],
  };
}

function above(field: FieldCondition['field'], value: string): FieldCondition {
  return { field, operator: 'GT', value };
}

/** Rules for the EU's threshold of EUR 1,000 on transfers with self-hosted wallets. */
export function euSelfHosted(direction: Direction): CommentedRule[] {
  return [
    ...SANCTIONS,
    hold(
      10,
      'Self-hosted wallet over EUR 1,000 without proof',
      { all: [is(THEIR_CUSTODY[direction], 'NON_CUSTODIAL'), overEur('1000'), unproven()] },
      'Regulation (EU) 2023/1113, articles 14(5) and 16(2): over EUR 1,000 the provider checks who owns the wallet.',
    ),
  ];
}

/** Rules that hold transfers with countries on the FATF's lists. */
export function highRiskCountries(direction: Direction): CommentedRule[] {
  const among = (countries: readonly string[]): Condition => ({
    any: [
      { field: THEIR_COUNTRY[direction], operator: 'IN', value: [...countries] },
      { field: 'counterpartyEntityCountry', operator: 'IN', value: [...countries] },
    ],
  });
  return [
    ...SANCTIONS,
    hold(
      10,
      'Country with a call for action',
      among(FATF.callForAction),
      `High-risk jurisdictions of the FATF (${FATF.asOf}). Many providers block these: set BLOCK where yours does.`,
    ),
    hold(
      20,
      'Country under increased monitoring',
      { all: [among(FATF.increasedMonitoring), overEur('1000')] },
      `Jurisdictions under increased monitoring of the FATF (${FATF.asOf}), over EUR 1,000. Look for a newer list.`,
    ),
  ];
}

/** Rules that hold transfers with unknown or risky counterparties. */
export function unknownCounterparties(direction: Direction): CommentedRule[] {
  return [
    ...SANCTIONS,
    unknownCounterparty(direction),
    hold(
      30,
      'Counterparty of high risk',
      is('counterpartyRiskSeverity', 'high'),
      'The counterparty is known, and known to be risky.',
    ),
    hold(
      40,
      'Counterparty outside this deployment',
      { all: [is('counterpartyInNetwork', false), overEur('1000')] },
      'It is no tenant of this deployment: over EUR 1,000 a person makes sure who answers.',
    ),
  ];
}

const LOW_VALUE: CommentedRule = {
  rule: {
    name: 'Low value, known and clean',
    priority: 100,
    conditions: {
      all: [
        { field: 'amount', operator: 'LTE', value: '1000', currency: 'EUR' },
        { field: 'rolling24hAmount', operator: 'LTE', value: '3000' },
        is('isDestinationConfirmed', true),
        is('counterpartyInNetwork', true),
        is('sanctionsNameMatch', false),
        is('sanctionsAddressMatch', false),
        { any: [isMissing('counterpartyRiskSeverity'), { not: is('counterpartyRiskSeverity', 'high') }] },
      ],
    },
    decision: 'PROCEED',
  },
  comment:
    'Up to EUR 1,000, and EUR 3,000 in a day, from a known counterparty to a confirmed wallet: confirmed at once. A fact that is missing leaves it to a person.',
};

/** Rules that confirm incoming low-value transfers from known counterparties. */
export function lowValue(direction: Direction): CommentedRule[] {
  return direction === 'INCOMING'
    ? [...SANCTIONS, LOW_VALUE]
    : [...SANCTIONS, unknownCounterparty(direction)];
}
