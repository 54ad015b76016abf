import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentSettings } from '../../process/settings-schema.ts';
import { readSettings } from '../../process/settings.ts';
import { pageWithSettings } from '../../standalone/settings-table.ts';
import { projectRoot } from '../../standalone/project-root.ts';

const PAGE = readFileSync(join(projectRoot, 'docs', 'operating.md'), 'utf8');
/** Name, default and unit of each row of the tables of settings. */
const ROWS = [...PAGE.matchAll(/^\| `([A-Z0-9_]+)` +\| (.*?) +\| (.*?) +\| \S/gm)].map(
  ([, name = '', byDefault = '', unit = '']) => ({ name, byDefault, unit }),
);
const row = (name: string) => ROWS.find((each) => each.name === name);

test('the page for operators has the settings as the code has them; `npm run docs:settings` writes them', () => {
  expect(pageWithSettings(PAGE)).toBe(PAGE);
});

test('it has each setting once, with a unit or form', () => {
  expect(ROWS.map(({ name }) => name)).toEqual(Object.keys(EnvironmentSettings.shape));
  expect(ROWS.filter(({ unit }) => unit === '')).toEqual([]);
});

test('constant defaults are those that are in force', () => {
  const inForce = readSettings({});
  for (const name of ['PORT', 'DATABASE_POOL', 'TRUST_PROXY', 'RATE_LIMIT_READS', 'LOG_LEVEL'] as const)
    expect([name, row(name)?.byDefault]).toEqual([name, `\`${String(inForce[name])}\``]);
});

test('limits and choices come from the schema', () => {
  expect(row('DATABASE_POOL')?.unit).toBe('connections, 2 to 200');
  expect(row('PORT')?.unit).toBe('port, 0 to 65535');
  expect(row('OPERATOR_KEY')?.unit).toBe('text, 16 characters or more');
  expect(row('ENVIRONMENT')?.unit).toBe('sandbox, production');
  expect(row('RATE_LIMIT_WRITES')?.unit).toBe('requests per minute; 0: no limit');
});

test('a page without a place for them is refused, not overwritten', () => {
  expect(() => pageWithSettings('# Running Waybill\n')).toThrow('no place');
});
