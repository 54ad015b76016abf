import knex, { type Knex } from 'knex';
import { down, up } from '../../../db/migrations/20261124_0067_stop_transfers.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi } from '../../use-api.ts';

const LISTED = 'Barnabas Ravenscroft';
const { api, database } = useApi();

let db: Knex;
beforeAll(async () => {
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', LISTED)]);
});
afterAll(async () => await db.destroy());

test.each([
  ['held', null, ['RELATED_HELD', 'RELATED_HELD', 'RELATED_HELD']],
  ['blocked', 'BLOCK', ['RELATED_BLOCKED', null, 'RELATED_BLOCKED']],
])(
  'migration 0067 stops own records beside a message that is %s, as a change would',
  async (_what, decision, expected) => {
    const [sender, other] = [await createTenant(api), await createTenant(api)];
    const receiver = await createTenant(api);
    const place = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
    await registerWallet(receiver, place.destination);
    const parties = { originator: { name: LISTED }, beneficiary: { name: 'Jonas Brandt' } };
    const { id } = await createTransaction(sender, { ...parties, blockchainInfo: place });
    const message = await deliverJudged(api, { id, sender, receiver });
    const own = {
      direction: 'INCOMING',
      originator: undefined,
      beneficiary: undefined,
      blockchainInfo: place,
    };
    const named = [{ originatorVaspName: sender.name }, { originatorVaspName: other.name }, {}];
    const ids: string[] = [];
    for (const vaspInfo of named) ids.push((await createTransaction(receiver, { ...own, vaspInfo })).id);
    if (decision !== null) {
      const review = { decision, reason: 'He is listed.' };
      expect((await receiver.post(`/transactions/${message.id}/review`, review)).status).toBe(200);
    }
    const reasons = async () =>
      await Promise.all(
        ids.map(async (each) => {
          const { clearance } = await readTransaction(receiver, each);
          return clearance.reasons.find((reason) => reason.startsWith('RELATED_')) ?? null;
        }),
      );
    expect(await reasons()).toEqual(expected);
    await db.transaction(down);
    await db.transaction(up);
    expect(await reasons()).toEqual(expected);
  },
);
