import { changeClaim } from '../../../db/claims/change-claim.ts';
import { deliverClaim } from '../../../db/lifecycle/deliver-claim.ts';
import { verifyEvents } from '../../../db/events/verify-events.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import { expireClaim } from '../../../domain/claims/time.ts';
import { claimBody, createClaim, readClaim } from '../../factories/claim.ts';
import { createTransaction, deliver } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi({ config: { RATE_LIMIT_WRITES: 0 } });
const harbour = useTenant(api);
const alpine = useTenant(api);

const ROUNDS = Array.from({ length: 60 }, (_, round) => round);
const ofAlpine = () => ({ vaspInfo: { originatorVaspName: alpine.name } });

async function delivered(): Promise<{ own: TransferClaim; askedId: string }> {
  const own = await createClaim(harbour, ofAlpine());
  const delivery = { tenantId: harbour.id, id: own.id, askedTenantId: alpine.id, now: new Date() };
  const { incomingId } = (await deliverClaim(api.db, delivery))!;
  return { own, askedId: incomingId };
}

const messageOf = async ({ blockchainInfo }: Pick<TransferClaim, 'blockchainInfo'>) => {
  const { blockchain, transactionHash, destination } = blockchainInfo;
  const { id } = await createTransaction(alpine, {
    vaspInfo: { beneficiaryVaspName: harbour.name },
    blockchainInfo: { blockchain, transactionHash, destination },
  });
  return id;
};

test('a claim that is made while its message arrives is answered, and there is one record of the transfer', async () => {
  for (const _round of ROUNDS) {
    const body = claimBody(ofAlpine()) as unknown as TransferClaim;
    const id = await messageOf(body);
    const [claim] = await Promise.all([
      createClaim(harbour, { ...ofAlpine(), ...body }),
      deliver(api, alpine, harbour, id),
    ]);
    expect(await readClaim(harbour, claim.id)).toMatchObject({ status: 'ANSWERED' });
    const { rows } = await database.pool.query(
      'select pair_id is not null as paired from transactions where tenant_id = $1 and destination_normal = $2',
      [harbour.id, body.blockchainInfo.destination],
    );
    expect(rows).toEqual([{ paired: true }]);
  }
});

test('message, refusal, cancellation, answer and expiry at once: one ends the claim, and both sides agree', async () => {
  for (const _round of ROUNDS) {
    const { own, askedId } = await delivered();
    const id = await messageOf(own);
    await Promise.all([
      deliver(api, alpine, harbour, id),
      alpine.patch(`/claims/${askedId}`, { status: 'DECLINED', statusReasoning: 'not ours' }),
      harbour.patch(`/claims/${own.id}`, { status: 'CANCELLED' }),
      alpine.post(`/claims/${askedId}/answer`, { transactionId: id }),
      changeClaim(api.db, {
        tenantId: alpine.id,
        id: askedId,
        now: new Date(),
        decide: (asked, counterpart) => expireClaim(asked, counterpart, new Date(own.deadlineAt)),
      }),
    ]);
    const [mine, theirs] = [await readClaim(harbour, own.id), await readClaim(alpine, askedId)];
    expect(['ANSWERED', 'DECLINED', 'CANCELLED', 'EXPIRED']).toContain(mine.status);
    expect(theirs.status).toBe(mine.status);
  }
});

test('a claim that is delivered twice at once, while it is taken back, has one record at the other side, or none', async () => {
  for (const _round of ROUNDS) {
    const own = await createClaim(harbour, ofAlpine());
    const delivery = { tenantId: harbour.id, id: own.id, askedTenantId: alpine.id, now: new Date() };
    const [first, second, cancelled] = await Promise.all([
      deliverClaim(api.db, delivery),
      deliverClaim(api.db, delivery),
      harbour.patch(`/claims/${own.id}`, { status: 'CANCELLED' }),
    ]);
    expect(cancelled.status).toBe(200);
    const query = `/claims?_transactionHash=${own.blockchainInfo.transactionHash}`;
    const { body } = await alpine.get<TransferClaim[]>(query);
    expect(body).toHaveLength([first, second].filter((one) => one !== null).length);
    expect(body.length).toBeLessThan(2);
    for (const { status } of body) expect(status).toBe('CANCELLED');
  }
});

test('after all of it every log is whole', async () => {
  expect(await verifyEvents({ pool: database.pool, vault: api.db.vault })).toMatchObject({ faults: [] });
});
