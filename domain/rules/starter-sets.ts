import type { Direction } from '../direction.ts';
import { FATF } from '../entities/jurisdictions.ts';
import type { RuleSet } from './schema.ts';
import {
  conservative,
  euSelfHosted,
  highRiskCountries,
  lowValue,
  unknownCounterparties,
  type CommentedRule,
  type StarterRule,
} from './starter-rules.ts';

/** A rule set to start with, for both directions. It is loaded as a draft and has no effect until that is published. */
export interface StarterSet {
  name: string;
  title: string;
  /** Describes who the set is for, and what it leaves to them. */
  description: string;
  sets: Record<Direction, StarterRules>;
}

export interface StarterRules extends Omit<RuleSet, 'rules'> {
  /** Rules without ids: these are created when the set is loaded. */
  rules: StarterRule[];
  /** The reason for each rule, in the order of the rules. */
  comments: string[];
}

/** Decision without a match: an outgoing transfer is a customer's order, an incoming one is somebody else's claim. */
const DEFAULTS: Record<Direction, RuleSet['defaultDecision']> = { OUTGOING: 'PROCEED', INCOMING: 'REVIEW' };

function bothWays(
  rulesOf: (direction: Direction) => readonly CommentedRule[],
): Record<Direction, StarterRules> {
  const of = (direction: Direction): StarterRules => {
    const commented = rulesOf(direction);
    return {
      rules: commented.map(({ rule }) => rule),
      comments: commented.map(({ comment }) => comment),
      defaultDecision: DEFAULTS[direction],
      onUndecided: 'REVIEW',
    };
  };
  return { OUTGOING: of('OUTGOING'), INCOMING: of('INCOMING') };
}

export const STARTER_SETS: readonly StarterSet[] = [
  {
    name: 'conservative',
    title: 'Conservative',
    description:
      'Holds whatever is not known to be harmless. For a first week, or for few transfers. It needs an AML provider.',
    sets: bothWays(conservative),
  },
  {
    name: 'eu-self-hosted-over-1000',
    title: 'EU: self-hosted wallets over EUR 1,000',
    description:
      'Holds transfers over EUR 1,000 with a self-hosted wallet until somebody has proven to own it.',
    sets: bothWays(euSelfHosted),
  },
  {
    name: 'high-risk-countries',
    title: 'High-risk countries',
    description: `Holds transfers with countries on the lists of the FATF (${FATF.asOf}). Keep the lists up to date.`,
    sets: bothWays(highRiskCountries),
  },
  {
    name: 'unknown-counterparty',
    title: 'Unknown counterparties',
    description: 'Holds transfers with a provider that nobody knows, or that is known to be risky.',
    sets: bothWays(unknownCounterparties),
  },
  {
    name: 'low-value-auto-confirm',
    title: 'Low values are confirmed at once',
    description:
      'Confirms incoming transfers of up to EUR 1,000 from known counterparties without a person. All others wait for one.',
    sets: bothWays(lowValue),
  },
];
