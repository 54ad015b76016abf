import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import { NEXT_ACTIONS, OUTCOMES } from '../../domain/transactions/clearance.ts';
import { projectRoot } from '../../standalone/project-root.ts';

const PAGE = readFileSync(join(projectRoot, 'docs', 'clearance.md'), 'utf8');
const ROWS = [...PAGE.matchAll(/^\| `(\w+)` +\| `(\w+)` +\|/gm)].map(([, outcome, action]) => ({
  outcome,
  action,
}));

test('the page has a row for every outcome and every next action, and for no other word', () => {
  expect(new Set(ROWS.map(({ outcome }) => outcome))).toEqual(new Set(OUTCOMES));
  expect(new Set(ROWS.map(({ action }) => action))).toEqual(new Set(NEXT_ACTIONS));
});

test('every call on the page is one of the reference', () => {
  const named = [...PAGE.matchAll(/`(GET|POST|PATCH|DELETE) (\/[\w/{}-]+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const known = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((call) => !known.includes(call))).toEqual([]);
});
