import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json, TestAnswer } from '../../api-client.ts';
import { deliverJudged } from '../../factories/deliver-judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
  registerWallet,
} from '../../factories/transaction.ts';
import { labelsOf, normalAnswer, type NormalAnswer } from '../../hostile/normal-form.ts';
import { useApi } from '../../use-api.ts';

const { api } = useApi();
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
});

/** What a receiver may have of a transfer before a stranger sends a message about it. */
interface Receiver {
  /** Whether it has registered the destination. */
  isRegistered?: boolean;
  /** Its own record of the transfer, and what it has done with it. */
  own?: { body: Json; done?: Json | 'DELETED' };
}

const NAMED = { vaspInfo: { originatorVaspName: 'Far Away Exchange' } };
const DECLINED = { status: 'DECLINED', statusReasoning: 'a secret', statusReasonCode: 'NAME_MISMATCH' };
const RECEIVERS: [name: string, Receiver][] = [
  ['has registered the wallet', { isRegistered: true }],
  ['has recorded the transfer of another VASP', { own: { body: NAMED } }],
  ['has confirmed it', { own: { body: NAMED, done: { status: 'CONFIRMED' } } }],
  ['has declined it', { isRegistered: true, own: { body: NAMED, done: DECLINED } }],
  ['has deleted its record', { own: { body: NAMED, done: 'DELETED' } }],
  ['has recorded it without a VASP', { own: { body: {} } }],
  ['has confirmed that record', { isRegistered: true, own: { body: {}, done: { status: 'CONFIRMED' } } }],
  ['has declined that record', { own: { body: {}, done: DECLINED } }],
];

/** All that a stranger is told who sends a message about a transfer, changes it, withdraws and deletes it. */
async function send(receiver: TestTenant, place: Json): Promise<NormalAnswer[]> {
  const sender = await createTenant(api, { webhookUrl: 'https://hooks.example/in' });
  const sent = await createTransaction(sender, {
    reference: 'order 1',
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    vaspInfo: { beneficiaryVaspName: receiver.name },
    blockchainInfo: place,
  });
  await deliverJudged(api, { id: sent.id, sender, receiver });
  const path = `/transactions/${sent.id}`;
  const answers: TestAnswer<unknown>[] = [];
  const look = async () => {
    answers.push(await sender.get(path), await sender.get(`${path}/events`));
    answers.push(await sender.get(`/tenant/me/webhook-deliveries?_resourceId=${sent.id}`));
  };
  await look();
  const [transactionHash, origin] = [evmHash(), evmAddress()];
  const changes = [{ originator: { name: 'Someone Else' } }, { transactionHash, blockchainInfo: { origin } }];
  for (const change of [...changes, { transactionHash: place['transactionHash'] }, { status: 'CANCELLED' }]) {
    answers.push(await sender.patch(path, change));
    await look();
  }
  answers.push(await sender.delete(path), await sender.get(path));
  const known = { ...place, transactionHash, origin, sender: sender.name, receiver: receiver.name };
  const labels = new Map([...labelsOf(known), [String(place['transactionHash']), '<first hash>'] as const]);
  return answers.map((answer) => normalAnswer(answer, labels));
}

const newPlace = () => ({ blockchain: 'Ethereum', destination: evmAddress(), transactionHash: evmHash() });

describe('a stranger learns nothing from a message about a transfer', () => {
  let toNobody: NormalAnswer[];
  beforeAll(async () => {
    toNobody = await send(await createTenant(api), newPlace());
  });

  test.each(RECEIVERS)(
    'whose receiver %s, and changes no record of its',
    async (_name, { isRegistered, own }) => {
      const [receiver, place] = [await createTenant(api), newPlace()];
      if (isRegistered) await registerWallet(receiver, place.destination);
      const record = own && (await recorded(receiver, own, place));
      expect(await send(receiver, place)).toEqual(toNobody);
      if (!record) return;
      const after = await readTransaction(receiver, record.id);
      if (own.body === NAMED) return expect(after).toEqual(record);
      // A record that names no sender is related with the message: that is all.
      const { relatedTransactionId, version, updatedAt } = after;
      expect(after).toEqual({ ...record, relatedTransactionId, version, updatedAt });
    },
  );
});

/** The receiver's own record after what it has done; undefined when that was its deletion. */
async function recorded(
  receiver: TestTenant,
  { body, done }: NonNullable<Receiver['own']>,
  place: Json,
): Promise<Transaction | undefined> {
  const { id } = await createTransaction(receiver, {
    direction: 'INCOMING',
    ...body,
    blockchainInfo: place,
  });
  if (done === 'DELETED') {
    expect((await receiver.delete(`/transactions/${id}`)).status).toBe(204);
    return undefined;
  }
  if (done) expect((await receiver.patch(`/transactions/${id}`, done)).status).toBe(200);
  return await readTransaction(receiver, id);
}
