import { cutConnections } from '../../fakes/cut-connections.ts';
import { createBody, evmAddress, evmHash } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

const TRIES = 5;
const CLAIMS = 30;

test('open claims and e-mail add no statement to POST /transactions', async () => {
  const recorded = cutConnections(api.db.pool, database.pool);
  /** Without the statements of others, such as the audit log, which come now and then. */
  const statementsOfCreate = async () => {
    const tries: (readonly string[])[] = [];
    for (let n = 0; n < TRIES; n += 1) {
      recorded.arm(Infinity, 'BEFORE');
      expect((await tenant.post('/transactions', createBody())).status).toBe(201);
      tries.push(recorded.statements());
    }
    return tries.toSorted((one, other) => one.length - other.length)[0];
  };
  const plain = await statementsOfCreate();
  for (let n = 0; n < CLAIMS; n += 1) {
    const blockchainInfo = {
      blockchain: 'Ethereum',
      transactionHash: evmHash(),
      destination: evmAddress(),
    };
    expect((await tenant.post('/claims', { asset: 'ETH', blockchainInfo })).status).toBe(201);
  }
  await tenant.patch('/tenant/me/settings', { deliveryEmailEnabled: true });
  expect(plain?.length).toBeGreaterThan(0);
  expect(await statementsOfCreate()).toEqual(plain);
});
