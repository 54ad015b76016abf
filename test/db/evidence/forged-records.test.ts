import { confirmSelfHostedTransfer } from '../../../db/lifecycle/confirm-self-hosted.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { NOT_ANCHORED } from '../../../domain/events/chain.ts';
import { objectsIn, outcomeOf, startEvidence, textsIn } from '../../factories/evidence-archive.ts';
import { settleJudged, untilListsLoaded } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { forged, readLog, replaceLast, unguarded } from '../../factories/tampering.ts';
import { createMessagePair, createTransaction } from '../../factories/transaction.ts';
import { createVerification, evmWallet, signedFor, submit } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const counterparty = useTenant(api);
beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')]);
  await untilListsLoaded(api, tenant.id);
});

const evidenceOf = async (id: string) => await (await startEvidence(api, { tenant, id }))();

async function brokenIn(id: string) {
  return (await outcomeOf(await evidenceOf(id), [api.db.vault.seals.publicKey])).broken;
}

/** Does as the owner of the tables does. */
async function asOwner(...statements: [text: string, ...values: unknown[]][]): Promise<void> {
  await unguarded(database.pool, async () => {
    for (const [text, ...values] of statements)
      expect((await database.pool.query(text, values)).rowCount).toBe(1);
  });
}

/** A transaction on which the rules have decided. */
async function decided(): Promise<string> {
  const { id } = await createTransaction(tenant);
  await settleJudged(api, id);
  expect(await brokenIn(id)).toBeNull();
  return id;
}

async function sent(): Promise<string> {
  const { outgoingId: id } = await createMessagePair(api, tenant, counterparty);
  await tenant.patch(`/transactions/${id}`, { internalNote: 'a' });
  expect(await brokenIn(id)).toBeNull();
  return id;
}

describe('the deployment signs no log that it has not anchored as its own: the archive is broken', () => {
  const broken = { path: 'events.jsonl', fault: NOT_ANCHORED };

  test('with a last entry, a head and a status that others wrote', async () => {
    const { id } = await createTransaction(tenant);
    const [last] = (await readLog(database.pool, id)).slice(-1);
    if (!last) throw new Error('no log');
    const approved = { previousStatus: 'PENDING', newStatus: 'CONFIRMED', message: 'Approved.' };
    await unguarded(database.pool, async () => await replaceLast(database.pool, forged(last, approved)));
    await asOwner([`update transactions set status = 'CONFIRMED' where id = $1`, id]);
    expect(await brokenIn(id)).toMatchObject(broken);
  });

  test('without its last entry, with the head of before, also after the next change', async () => {
    const id = await sent();
    const log = await readLog(database.pool, id);
    await asOwner(
      ['delete from events where subject_id = $1 and sequence = $2', id, log.length],
      [
        'update transactions set sequence = $2, head = $3 where id = $1',
        id,
        log.length - 1,
        log.at(-2)?.hash,
      ],
    );
    expect(await brokenIn(id)).toMatchObject({ ...broken, line: log.length - 1 });
    await tenant.patch(`/transactions/${id}`, { internalNote: 'b' });
    expect(await brokenIn(id)).toMatchObject(broken);
  });

  test('with the anchor taken off', async () => {
    const id = await sent();
    await asOwner(['update transactions set head_mac = null where id = $1', id]);
    expect(await brokenIn(id)).toMatchObject(broken);
  });

  test('with the log of a proof that others wrote', async () => {
    const wallet = evmWallet();
    const { address } = wallet;
    const { id } = await createTransaction(tenant, {
      blockchainInfo: { blockchain: 'Ethereum', destination: address, destinationType: 'NON_CUSTODIAL' },
    });
    const proof = await createVerification(tenant, { address });
    expect((await submit(tenant, proof.id, await signedFor(wallet, proof))).status).toBe(200);
    expect(await brokenIn(id)).toBeNull();
    const path = `proofs/${proof.id}/events.jsonl`;
    await asOwner(['update verifications set head_mac = head where id = $1', proof.id]);
    expect(await brokenIn(id)).toMatchObject({ ...broken, path });
  });
});

describe('decisions of the rules are those that the log names, unchanged', () => {
  const path = 'decisions.jsonl';
  test.each([
    [
      'removed',
      'delete from rule_decisions where transaction_id = $1',
      /^the decision that entry \d+ of the log names is missing$/,
    ],
    [
      'dated back',
      `update rule_decisions set created_at = created_at - interval '1 day' where transaction_id = $1`,
      /^does not fit the hash in entry \d+ of the log$/,
    ],
    [
      'of a waiting rule that did not wait',
      `update rule_decisions set spent = '{x}' where transaction_id = $1`,
      /^does not fit the hash in entry \d+ of the log$/,
    ],
    [
      'that does not open',
      `update rule_decisions set facts = trace where transaction_id = $1`,
      /^the decision was UNREADABLE in the deployment$/,
    ],
    [
      'of rules that were not published',
      `update rule_decisions set version = 7 where transaction_id = $1`,
      /^version 7 of the rules is missing$/,
    ],
  ])('one %s', async (_what, statement, fault) => {
    const id = await decided();
    await asOwner([statement, id]);
    expect(await brokenIn(id)).toMatchObject({ path, fault: expect.stringMatching(fault) as unknown });
  });

  test('one of another transaction is none of this one', async () => {
    const [id, other] = [await decided(), await decided()];
    await asOwner([
      'update rule_decisions set transaction_id = $1, sequence = 2 where transaction_id = $2',
      id,
      other,
    ]);
    expect(await brokenIn(id)).toMatchObject({ path, line: 2 });
  });

  test('one that was made after the record was read is left out', async () => {
    const { id } = await createTransaction(tenant);
    const read = await startEvidence(api, { tenant, id });
    await settleJudged(api, id);
    const bytes = await read();
    expect(objectsIn((await textsIn(bytes))[path])).toEqual([]);
    expect((await outcomeOf(bytes, [api.db.vault.seals.publicKey])).broken).toBeNull();
    expect(objectsIn((await textsIn(await evidenceOf(id)))[path])).toHaveLength(1);
  });
});

test.each(['amount = amount * 10', `destination = 'elsewhere'`, `asset = 'BTC'`])(
  'a transfer that differs from the message that was sent: %s',
  async (change) => {
    const id = await sent();
    await asOwner([`update transactions set ${change} where id = $1`, id]);
    const [name = ''] = change.split(' ');
    expect(await brokenIn(id)).toMatchObject({
      path: 'transaction.json',
      fault: `the record differs from the message: ${name}`,
    });
  },
);

test('a record that its log calls deleted', async () => {
  const id = await sent();
  await tenant.delete(`/transactions/${id}`);
  await asOwner(['update transactions set deleted_at = null where id = $1', id]);
  expect(await brokenIn(id)).toMatchObject({
    path: 'events.jsonl',
    fault: expect.stringMatching(/^the record was deleted, as entry \d+ says$/) as unknown,
  });
});

/** A transfer that a proof of its wallet has confirmed. */
async function confirmedByProof() {
  const wallet = evmWallet();
  const { address: destination } = wallet;
  const proof = await createVerification(tenant, { address: destination });
  expect((await submit(tenant, proof.id, await signedFor(wallet, proof))).status).toBe(200);
  const blockchainInfo = { blockchain: 'Ethereum', destination, destinationType: 'NON_CUSTODIAL' };
  const { id } = await createTransaction(tenant, { blockchainInfo });
  await settleJudged(api, id);
  const { record } = await confirmSelfHostedTransfer(
    api.db,
    await getTransaction(api.db, tenant.id, id),
    new Date(),
  );
  expect(record.status).toBe('CONFIRMED');
  expect(await brokenIn(id)).toBeNull();
  return { id, proofId: proof.id };
}

test('a proof that its table alone calls deleted is missing', async () => {
  const { id, proofId } = await confirmedByProof();
  await asOwner(['update verifications set deleted_at = now() where id = $1', proofId]);
  expect(await brokenIn(id)).toMatchObject({
    path: 'events.jsonl',
    fault: expect.stringContaining(`rests on verification ${proofId}, which is missing`) as unknown,
  });
});

test('a proof that its tenant has deleted is named', async () => {
  const { id, proofId } = await confirmedByProof();
  expect((await tenant.delete(`/wallet-verification/${proofId}`)).status).toBeLessThan(300);
  const { whole } = await outcomeOf(await evidenceOf(id), [api.db.vault.seals.publicKey]);
  expect(whole?.manifest.deletedVerifications).toEqual([proofId]);
});
