import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { Json } from '../../api-client.ts';
import { rescreenSteps } from '../../factories/rescreen-steps.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { untilJudged } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, evmAddress, evmHash, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenantPerTest(api);
const sender = useTenantPerTest(api);
const PARTIES = { originator: { name: 'Anna Keller' }, beneficiary: { name: 'Jonas Brandt' } };
const organisation = { type: 'organisation' } as const;

const operate = async (method: string, path: string, body: Json) =>
  await api.request(method, path, { operatorKey: api.operatorKey, body });
const enter = async (body: Json) => {
  const { status } = await operate('POST', '/operator/entities', { type: 'exchange', ...body });
  expect(status).toBe(201);
};

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'GARANTEX EUROPE OU', organisation)]);
  await enter({ name: 'Garantex Europe OU', aliases: ['GTX'] });
  await enter({ name: 'Grx', legalName: 'Garantex Europe OU' });
  await enter({ name: 'Many', aliases: Array.from({ length: 99 }, (_, at) => `Alster Handel ${at}`) });
  await enter({ name: 'Late', aliases: ['Zarya Handelsbank'] });
});

async function judged(vaspInfo: Json) {
  const { id } = await createTransaction(tenant, { ...PARTIES, vaspInfo });
  const { settlement } = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, id));
  await settleScreening(api.db, settlement);
  return { id, settlement };
}

test.each(['Garantex Europe OU', 'GTX', 'Grx'])(
  'a listed VASP is found by each of its names: %s',
  async (name) => {
    const { settlement } = await judged({ beneficiaryVaspName: name });
    expect(settlement.verdict.hold).toBe('SANCTIONS');
    const vasp = settlement.screening.sanctions.subjects.filter(({ role }) => role === 'beneficiaryVasp');
    expect(vasp).toMatchObject([{ screening: { screenedName: name, sanctioned: true, complete: true } }]);
  },
);

test('a VASP with more names than one search compares is compared whole, and is clean', async () => {
  const { settlement } = await judged({ beneficiaryVaspName: 'Alster Handel 7' });
  expect(settlement.verdict.hold).toBeNull();
  const compared = settlement.screening.sanctions.subjects.flatMap(({ role, screening }) =>
    role === 'beneficiaryVasp' ? [screening] : [],
  );
  expect(compared.map((screening) => screening?.complete)).toEqual(compared.map(() => true));
  expect(JSON.stringify(compared)).toContain('Alster Handel 98');
});

test('a list that adds a VASP by another name has open transfers screened again', async () => {
  const { id } = await judged({ beneficiaryVaspName: 'Late' });
  const version = await activateList(api.db.pool, 'OTHER', [
    listEntry('2', 'Zarya Handelsbank', organisation),
  ]);
  const activities = rescreenSteps(api);
  expect(await activities.rescreenOpen({ code: 'OTHER', version, afterId: null })).toMatchObject({
    found: 1,
  });
  expect((await findOpenTransaction(api.db, tenant.id, id))?.record.screeningState).toBe('DUE');
});

test('the VASP that a record and the message for it name alike is compared once', async () => {
  const blockchainInfo = { blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() };
  const vaspInfo = { originatorVaspName: sender.name };
  await api.db.pool.query(`update entities set aliases = '{Alias of the sender}' where name = $1`, [
    sender.name,
  ]);
  const own = await createTransaction(tenant, { direction: 'INCOMING', vaspInfo, blockchainInfo });
  const { id } = await createTransaction(sender, { ...PARTIES, blockchainInfo });
  await deliverJudged(api, { id, sender, receiver: tenant });
  const { body } = await tenant.get<{ screening: { sanctions: { subjects: { role: string }[] } } }>(
    `/transactions/${own.id}/screening`,
  );
  const roles = body.screening.sanctions.subjects.map(({ role }) => role);
  expect(roles.filter((role) => role.endsWith('originatorVasp'))).toEqual(['originatorVasp']);
  expect((await readTransaction(tenant, own.id)).status).toBe('DELIVERED');
});
