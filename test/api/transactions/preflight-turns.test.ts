import type pg from 'pg';
import type { InTurn } from '../../../db/fair-turns.ts';
import { findTransactionOfWorkflow } from '../../../db/transactions/find-transaction.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { preflight } from '../../../transaction-screening/preflight.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createBody, evmAddress } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api);

/** How many turns are held whenever a statement runs or something else is waited for, and the most statements at once. */
function turnsSeen() {
  const seen = { reading: [] as number[], waiting: [] as number[], most: 0 };
  let [held, running] = [0, 0];
  const readInTurn: InTurn = async (_owner, work) => {
    held += 1;
    return await work().finally(() => (held -= 1));
  };
  const query = async (statement: string | pg.QueryConfig, values?: unknown[]) => {
    seen.reading.push(held);
    seen.most = Math.max(seen.most, (running += 1));
    return await api.db.pool.query(statement, values).finally(() => (running -= 1));
  };
  const pool = new Proxy(api.db.pool, {
    get: (of, name) => (name === 'query' ? query : (Reflect.get(of, name) as unknown)),
  });
  const noting =
    <A extends unknown[], R>(work: (...given: A) => Promise<R>) =>
    async (...given: A) => {
      seen.waiting.push(held);
      return await work(...given);
    };
  return { seen, readInTurn, pool, noting };
}

test('a preflight reads in turns alone, by two statements at once, and holds none while lists and nodes are waited for', async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  await untilListsLoaded(api, tenant.id);
  const body = createBody({
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), destinationType: 'NON_CUSTODIAL' },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
  });
  const { id } = (await tenant.post<Transaction>('/transactions', body)).body;
  const open = (await findTransactionOfWorkflow(api.db, id))!;
  const deps = releaseDeps(api);
  const { seen, readInTurn, pool, noting } = turnsSeen();
  const db = { ...api.db, pool };
  const { judged } = await preflight(
    {
      ...deps,
      sendsMails: false,
      db,
      readInTurn,
      sanctions: { ...deps.sanctions, prepare: noting(deps.sanctions.prepare) },
      walletIntelligence: { db, observeWallet: noting(deps.walletIntelligence.observeWallet) },
    },
    open,
  );
  expect(judged?.screening.wallet).not.toBeNull();
  expect(new Set(seen.reading)).toEqual(new Set([1]));
  expect(seen.most).toBeLessThanOrEqual(2);
  expect(seen.waiting.length).toBeGreaterThan(2);
  expect(new Set(seen.waiting)).toEqual(new Set([0]));
});
