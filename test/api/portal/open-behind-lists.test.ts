import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../../db/postgres.ts';
import { insertLink } from '../../../db/portal/portal-links.ts';
import { makeCode } from '../../../db/portal/portal-codes.ts';
import { portalTokenOf } from '../../../db/portal/portal-token.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { allowMails, createOutsider, portalOf } from '../../factories/portal.ts';
import { addEntity, mergeEntity } from '../../factories/directory.ts';
import { lifecycleSteps } from '../../factories/lifecycle-steps.ts';
import { untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction, letPass, readTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

// A mail lies in its mailbox for days: what its verdict rests on may have changed by the time somebody opens its link.

const { api } = useApi({ config: { RATE_LIMIT_HOSTED: 0 } });
const tenant = useTenantPerTest(api);

async function send(name: string, vaspInfo = {}) {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Quillon Thistlewood')]);
  await untilListsLoaded(api, tenant.id);
  await allowMails(api, tenant);
  return await createTransaction(tenant, {
    originator: { name },
    beneficiary: { name: 'Jonas Brandt' },
    vaspInfo: { beneficiaryVaspEmail: 'ops@harbour.example', ...vaspInfo },
  });
}

async function mail({ id }: { id: string }) {
  const open = await findOpenTransaction(api.db, tenant.id, id);
  if (!open) throw new Error('gone');
  const now = new Date();
  const { token, code } = await inTransaction(api.db.pool, async (tx) => {
    const subject = { kind: 'TRANSACTION', id } as const;
    const address = 'ops@harbour.example';
    const linkId = await insertLink(api.db, tx, { tenantId: tenant.id, subject, address, now });
    return { token: portalTokenOf(linkId, open.key), code: await makeCode(api.db, tx, linkId, now) };
  });
  return { id, open: async () => await portalOf(api, token).post('/portal/session', { code }) };
}

test('a mailed message is not opened once a list that it was not compared with names its originator', async () => {
  const sent = await send('Barnabas Ravenscroft');
  await letPass(api.db, sent.id);
  const message = await mail(sent);
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('2', 'Barnabas Ravenscroft')]);
  const opened = await message.open();
  const { status } = await readTransaction(tenant, message.id);
  expect([opened.status, status]).toEqual([409, 'PENDING']);
});

test('a mailed message is not opened once its VASP has got a name that is listed, and is held', async () => {
  const vasp = await createOutsider(api, { name: `Kornblum ${randomUUID()}` });
  const sent = await send('Eva Huber', { beneficiaryVaspName: vasp.name });
  const advance = async () => await lifecycleSteps(api)(tenant, sent);
  expect(await advance()).toMatchObject({ status: 'PENDING', subStatus: 'ROUTING' });
  // The record names the VASP once the mail is sent.
  await api.db.pool.query('update transactions set counterparty_entity_id = $2 where id = $1', [
    sent.id,
    vasp.id,
  ]);
  const message = await mail(sent);
  await mergeEntity(api, await addEntity(api, 'Quillon Thistlewood'), vasp.id);
  expect((await message.open()).status).toBe(409);
  expect(await advance()).toMatchObject({ status: 'PENDING', subStatus: 'ON_HOLD' });
});

test('a mailed message is not opened once its VASP, which nobody knew, is in the directory under a listed name', async () => {
  const name = `Kornblum ${randomUUID()}`;
  const sent = await send('Eva Huber', { beneficiaryVaspName: name });
  expect(await lifecycleSteps(api)(tenant, sent)).toMatchObject({ status: 'PENDING', subStatus: 'ROUTING' });
  const message = await mail(sent);
  const vasp = await addEntity(api, name);
  await mergeEntity(api, await addEntity(api, 'Quillon Thistlewood'), vasp);
  expect((await message.open()).status).toBe(409);
});
