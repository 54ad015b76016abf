import { randomUUID } from 'node:crypto';
import type { RuleConfiguration } from '../../domain/rules/configuration.ts';
import type { Json, TestAnswer } from '../api-client.ts';
import type { Client } from './tenant.ts';

/** A rule as a client sends it, with an id of its own; blocks what is over 10,000 unless told otherwise. */
export function rule(overrides: Json = {}): Json & { id: string } {
  return {
    id: randomUUID(),
    name: 'Large',
    conditions: { field: 'amount', operator: 'GT', value: '10000' },
    decision: 'BLOCK',
    ...overrides,
  };
}

export async function configurations(
  client: Client,
): Promise<Record<'OUTGOING' | 'INCOMING', RuleConfiguration>> {
  const { body } = await client.get<[RuleConfiguration, RuleConfiguration]>('/rule-engine');
  return { OUTGOING: body[0], INCOMING: body[1] };
}

/** Puts rules into the draft of a configuration, as it stands. */
export async function draft(
  client: Client,
  id: string,
  rules: Json[],
  rest: Json = {},
): Promise<TestAnswer<RuleConfiguration & Json>> {
  const { body } = await client.get<RuleConfiguration>(`/rule-engine/${id}`);
  return await client.patch(`/rule-engine/${id}/draft`, { rules, revision: body.draft.revision, ...rest });
}

/** Rules of many leaves on facts that every transfer has: `rules` of them with `leaves` together. */
export function manyRules(rules: number, leaves: number): Json[] {
  const per = Math.floor(leaves / rules);
  return Array.from({ length: rules }, (_, at) =>
    rule({
      name: `Rule ${at}`,
      priority: at,
      decision: 'REVIEW',
      conditions: {
        all: Array.from({ length: per + (at < leaves % rules ? 1 : 0) }, (_leaf, index) =>
          index % 2 === 0
            ? { field: 'amount', operator: 'GT', value: String(1_000_000 + at + index) }
            : { field: 'beneficiaryCountry', operator: 'IN', value: ['IR', 'KP', 'SY'] },
        ),
      },
    }),
  );
}
