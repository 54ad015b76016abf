import { firstFaultText, invalidField } from '../../domain/errors.ts';
import { fileRefused } from '../../domain/row-fault.ts';
import { invalidRules } from '../../domain/rules/publish.ts';

const fault = (pointer: string, message = 'No.') => ({ pointer, code: 'invalid', message });

test.each([
  [[fault('/asset')], '/asset: No.'],
  [[fault('/asset'), fault('/amount')], '/asset: No. (1 more fault)'],
  [[fault('/asset'), fault('/amount'), fault('/x')], '/asset: No. (2 more faults)'],
  [[fault('', 'The whole body.')], 'The whole body.'],
  [[], 'The request is not valid.'],
])('%j: %s', (errors, text) => {
  expect(firstFaultText(errors)).toBe(text);
});

test('a pointer that the caller has made long is cut', () => {
  expect(invalidField(`/${'x'.repeat(10_000)}`, 'unknown_field', 'No.').message).toHaveLength(
    200 + ': No.'.length,
  );
});

test('the refusal of a file names row and column of the first fault', () => {
  const faults = [
    { row: 3, field: 'address', code: 'address_invalid', message: 'This is no address.' },
    { row: 4, field: null, code: 'column_count', message: 'Too few.' },
  ];
  const { message, details } = fileRefused(faults, 'Nothing was imported: the file has faults.');
  expect(message).toBe(
    'Nothing was imported: the file has faults. The first: row 3, address: This is no address. (1 more fault)',
  );
  expect(details.errors).toHaveLength(2);
  expect(fileRefused(faults.slice(1), 'Nothing.').message).toBe('Nothing. The first: row 4: Too few.');
});

test('the refusal of rules names the place of the first fault', () => {
  const rule = { ...fault('/rules/0/conditions'), ruleId: null, leaf: null };
  expect(invalidRules([rule]).message).toBe(
    'Nothing was changed: the rules have faults. The first: /rules/0/conditions: No.',
  );
});
