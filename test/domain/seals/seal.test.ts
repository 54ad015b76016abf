import { readStatement, statementText } from '../../../domain/seals/seal.ts';

const HASH = 'ab'.repeat(32);
const STATEMENT = {
  tenantId: '0190d1a2-7b3c-7def-8123-456789abcdef',
  day: '2026-11-22',
  heads: 3,
  root: HASH,
  previous: null,
  audit: null,
  operatorAudit: HASH,
};

test('a statement is read as it was written', () => {
  expect(readStatement(statementText(STATEMENT))).toEqual(STATEMENT);
});

test('a statement of a later release, which states more, is read for what this one knows', () => {
  expect(readStatement(JSON.stringify({ ...STATEMENT, claims: HASH }))).toEqual(STATEMENT);
});

test.each([
  ['without its root', { root: undefined }],
  ['of no day', { day: 'yesterday' }],
  ['with a root that is no hash', { root: 'abc' }],
])('a statement %s is none', (_what, changed) => {
  expect(() => readStatement(JSON.stringify({ ...STATEMENT, ...changed }))).toThrow();
});
