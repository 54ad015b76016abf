import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Waybill } from '@waybill/client';
import { ensureDemoPartner } from '../../standalone/demo-partner.ts';
import { withOtherEnd } from '../factories/other-end.ts';
import { createTenant } from '../factories/tenant.ts';
import { createBody } from '../factories/transaction.ts';
import { useApi } from '../use-api.ts';

const { api } = useApi();
let home: string;
beforeEach(() => (home = mkdtempSync(join(tmpdir(), 'waybill-partner-'))));
afterEach(() => rmSync(home, { recursive: true }));

const ensure = async () => await ensureDemoPartner({ apiUrl: api.url, operatorKey: api.operatorKey, home });

test('the partner is made once, and its key is for this user alone', async () => {
  const first = await ensure();
  expect(first).toEqual({
    name: 'Meridian Network',
    apiKey: expect.stringMatching(/^wbp_sandbox_/) as unknown,
  });
  expect(statSync(join(home, 'demo-partner.json')).mode & 0o777).toBe(0o600);
  expect(await ensure()).toEqual(first);
  const { partner } = new Waybill({ baseUrl: api.url, partnerKey: first.apiKey });
  expect(await partner.get()).toMatchObject({ name: 'Meridian Network', country: 'SG' });
});

test('another home, or a key that works no more, gets another key of the same partner', async () => {
  const { apiKey } = await ensure();
  writeFileSync(join(home, 'demo-partner.json'), JSON.stringify({ apiKey: withOtherEnd(apiKey) }));
  const again = await ensure();
  expect(again.apiKey).not.toBe(apiKey);
  const idOf = async (partnerKey: string) =>
    (await new Waybill({ baseUrl: api.url, partnerKey }).partner.get()).id;
  expect(await idOf(again.apiKey)).toBe(await idOf(apiKey));
});

test('a VASP on its network is in the directory once, and messages to it go over the partner', async () => {
  await ensure();
  await ensure();
  const { body: found } = await api.request<{ name: string; networks: string[] }[]>(
    'GET',
    '/operator/entities?q=Straits%20Digital',
    { operatorKey: api.operatorKey },
  );
  expect(found).toEqual([expect.objectContaining({ networks: ['PARTNER:Meridian Network'] })]);
  const tenant = await createTenant(api);
  const vaspInfo = { beneficiaryVaspName: 'Straits Digital' };
  const foreseen = await tenant.post('/transactions/preflight', createBody({ vaspInfo }));
  expect(foreseen).toMatchObject({ status: 200, body: { route: { outcome: 'PARTNER' } } });
});
