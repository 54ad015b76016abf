import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import { clearanceOf, NEXT_ACTIONS, OUTCOMES } from '../../domain/transactions/clearance.ts';
import { patchTransaction } from '../../domain/transactions/changing/patch-transaction.ts';
import { HOLDS, type HoldReason, type Status } from '../../domain/transactions/state.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { eachCombination } from '../factories/sub-status-facts.ts';
import { NOW, transactionRecord } from '../factories/transaction-record.ts';

const PAGE = readFileSync(join(projectRoot, 'docs', 'clearance.md'), 'utf8');
const ROWS = [...PAGE.matchAll(/^\| `(\w+)` +\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/gm)].map(
  ([, outcome, action, OUTGOING = '', INCOMING = '']) => ({ outcome, action, texts: { OUTGOING, INCOMING } }),
);

test('the page has a row for every outcome and every next action, and for no other word', () => {
  expect(new Set(ROWS.map(({ outcome }) => outcome))).toEqual(new Set(OUTCOMES));
  expect(new Set(ROWS.map(({ action }) => action))).toEqual(new Set(NEXT_ACTIONS));
});

test('the page says what to do on each outcome and next action of each direction that there is, and on no other', () => {
  const told = ROWS.flatMap(({ outcome, action, texts }) =>
    Object.entries(texts)
      .filter(([, text]) => text !== '–')
      .map(([direction]) => `${outcome} ${action} ${direction}`),
  );
  // Nothing seals a record of the sender, and only a message that is sent can fail.
  const possible = eachCombination().filter(({ direction, sealed, status }) =>
    direction === 'OUTGOING' ? !sealed : status !== 'FAILED',
  );
  const reached = possible.map((record) => {
    const { outcome, nextAction } = clearanceOf(record);
    return `${outcome} ${nextAction} ${record.direction}`;
  });
  expect(told.toSorted()).toEqual([...new Set(reached)].toSorted());
});

const RECEIVED = { direction: 'INCOMING', status: 'DELIVERED', messageSource: 'NATIVE' } as const;

/** Whether PATCH decides on a held transaction, in the words of the page. */
function patchDecides(hold: HoldReason, status: Status): string {
  const own = transactionRecord({ ...(status === 'CANCELLED' ? {} : RECEIVED), hold });
  const decides = (fourEyes: boolean) => {
    try {
      const act = { actor: { kind: 'SYSTEM' }, now: NOW, fourEyes } as const;
      return patchTransaction(own, null, { status }, act).own?.after.status === status;
    } catch (error) {
      expect(error).toMatchObject({ code: 'review_required' });
      return false;
    }
  };
  if (!decides(false)) return 'no';
  return decides(true) ? 'yes' : 'not with `settings.fourEyes.review`';
}

test('the page says on which holds PATCH decides', () => {
  const told = [...PAGE.matchAll(/^\| `(\w+)` +\| (no.*?|yes) +\| (no|yes) +\|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const real = HOLDS.map((hold) => [hold, patchDecides(hold, 'CONFIRMED'), patchDecides(hold, 'DECLINED')]);
  expect(new Set(told)).toEqual(new Set(real));
  expect(HOLDS.map((hold) => patchDecides(hold, 'CANCELLED'))).toEqual(
    real.map(([, , declines]) => declines),
  );
});

test('every call on the page is one of the reference', () => {
  const named = [...PAGE.matchAll(/`(GET|POST|PATCH|DELETE) (\/[\w/{}-]+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  );
  const known = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((call) => !known.includes(call))).toEqual([]);
});
