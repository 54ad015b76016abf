import { z } from 'zod';
import { FAULT_CODES } from '../../api/openapi/fault-codes.ts';
import { faultCode, faultText } from '../../domain/schema-faults.ts';

const ODD = z.strictObject({
  text: z.string().max(3),
  short: z.string().min(2),
  list: z.array(z.number()).max(1),
  number: z.number().min(2),
  most: z.number().max(2),
  whole: z.int(),
  flag: z.boolean(),
  email: z.email(),
  url: z.url(),
  id: z.uuid(),
  day: z.iso.date(),
  moment: z.iso.datetime(),
  form: z.string().regex(/^a+$/),
  start: z.string().startsWith('b'),
  word: z.enum(['A', 'B']),
  literal: z.literal('C'),
  union: z.union([z.number(), z.string()]),
  choice: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('A') }),
    z.strictObject({ kind: z.enum(['B', 'C']) }),
  ]),
  step: z.number().multipleOf(5),
  record: z.record(z.string(), z.number()),
  object: z.strictObject({}),
  own: z.string().refine(() => false),
  named: z.string({ error: 'A name is expected.' }),
});

const FAULTS: Record<keyof z.input<typeof ODD>, [given: unknown, text: string]> = {
  text: ['abcd', 'The text has at most 3 characters.'],
  short: ['a', 'The text has at least 2 characters.'],
  list: [[1, 2], 'The list has at most 1 entry.'],
  number: [1, 'The number is at least 2.'],
  most: [3, 'The number is at most 2.'],
  whole: [1.5, 'A whole number is expected.'],
  flag: ['yes', 'true or false is expected.'],
  email: ['nobody', 'An e-mail address is expected.'],
  url: ['nowhere', 'A web address is expected.'],
  id: ['1', 'A UUID is expected.'],
  day: ['yesterday', 'A date (YYYY-MM-DD) is expected.'],
  moment: ['now', 'An ISO 8601 timestamp is expected.'],
  form: ['bbb', 'The text does not have the expected form.'],
  start: ['abc', 'The text does not have the expected form.'],
  word: ['D', 'One of A, B is expected.'],
  literal: ['D', 'C is expected.'],
  union: [true, 'None of the accepted types fits.'],
  choice: [{ kind: 'D' }, 'One of A, B, C is expected.'],
  step: [7, 'A multiple of 5 is expected.'],
  record: [[], 'An object is expected.'],
  object: [{ x: 1 }, 'There is no such field.'],
  own: ['x', 'This value is not accepted.'],
  named: [7, 'A name is expected.'],
};

test.each(Object.entries(FAULTS))('%s', (name, [given, text]) => {
  const parsed = z
    .strictObject({ [name]: ODD.shape[name as keyof typeof FAULTS] })
    .safeParse({ [name]: given }, { error: faultText });
  expect(parsed.error?.issues.map(({ message }) => message)).toEqual([text]);
  // The word of the schema library for a field that there is none of stands for one fault per name.
  const codes = parsed.error?.issues.map(faultCode) ?? [];
  expect(codes.filter((code) => code !== 'unrecognized_keys' && !Object.hasOwn(FAULT_CODES, code))).toEqual(
    [],
  );
});

test('a check that a schema makes itself names its code, else it is `invalid`', () => {
  const schema = z.string().superRefine((_value, context) => {
    context.addIssue({ code: 'custom', message: 'a' });
    context.addIssue({ code: 'custom', message: 'b', params: { code: 'too_late' } });
  });
  expect(schema.safeParse('x').error?.issues.map(faultCode)).toEqual(['invalid', 'too_late']);
});
