import { z } from 'zod';
import { CURRENCIES, FIELD_NAMES, FIELD_TYPES, fieldOf, OPERATORS } from './fields.ts';
import { DEFAULT_DECISIONS, DECISIONS, LIMITS, ON_UNDECIDED } from './schema.ts';

/** The fields, operators and limits from which a client builds a form for rules. */
export const RuleFields = z
  .strictObject({
    fields: z.array(
      z
        .strictObject({
          name: z.enum(FIELD_NAMES),
          type: z.enum(FIELD_TYPES),
          description: z.string(),
          operators: z.array(z.enum(OPERATORS)),
          values: z.array(z.string()).nullable().describe('All allowed values; null: any value of the type.'),
          unit: z.string().nullable(),
          format: z.enum(['UUID']).nullable(),
          currencies: z.array(z.enum(CURRENCIES)).nullable().describe('Allowed as `currency` of a leaf.'),
          supply: z
            .enum(['PRICE', 'SANCTIONS', 'AML'])
            .nullable()
            .describe('The source of the fact; `onUndecided` defines what rules do while it is missing.'),
        })
        .meta({ id: 'RuleField' }),
    ),
    decisions: z
      .array(z.enum(DECISIONS))
      .describe('Ordered by strictness; the strictest, which wins, is the last.'),
    defaultDecisions: z.array(z.enum(DEFAULT_DECISIONS)),
    onUndecided: z.array(z.enum(ON_UNDECIDED)),
    limits: z.record(z.string(), z.int()),
  })
  .meta({ id: 'RuleFields' });

export function viewFields(): z.input<typeof RuleFields> {
  return {
    fields: FIELD_NAMES.map((name) => {
      const { operators, values, currencies, ...field } = fieldOf(name);
      return {
        name,
        ...field,
        operators: [...operators],
        values: values && [...values],
        currencies: currencies && [...currencies],
      };
    }),
    decisions: [...DECISIONS],
    defaultDecisions: [...DEFAULT_DECISIONS],
    onUndecided: [...ON_UNDECIDED],
    limits: LIMITS,
  };
}
