import { z } from 'zod';
import { CURRENCIES, FIELD_NAMES, FIELD_TYPES, fieldOf, OPERATORS } from './fields.ts';
import { DEFAULT_DECISIONS, DECISIONS, LIMITS, ON_UNDECIDED } from './schema.ts';

/** What a form for rules is built from. */
export const RuleFields = z
  .strictObject({
    fields: z.array(
      z.strictObject({
        name: z.enum(FIELD_NAMES),
        type: z.enum(FIELD_TYPES),
        description: z.string(),
        operators: z.array(z.enum(OPERATORS)),
        values: z.array(z.string()).nullable().describe('Every value there is; null: any of the type.'),
        unit: z.string().nullable(),
        format: z.enum(['UUID']).nullable(),
        currencies: z.array(z.enum(CURRENCIES)).nullable().describe('Allowed as `currency` of a leaf.'),
        supply: z
          .enum(['PRICE', 'SANCTIONS', 'AML'])
          .nullable()
          .describe('What has to supply it; while it is missing, `onUndecided` says what rules on it do.'),
      }),
    ),
    decisions: z.array(z.enum(DECISIONS)).describe('The strictest last: of several it wins.'),
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
