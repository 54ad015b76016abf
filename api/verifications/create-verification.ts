import { armSatoshiTest } from '../../db/chain-scan/arm-satoshi-test.ts';
import { findKeptAnswer, withIdempotency } from '../../db/idempotency/idempotency.ts';
import { newId } from '../../db/new-id.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { countReuseRequest } from '../../db/verifications/count-reuse-request.ts';
import { findReuseSource } from '../../db/verifications/find-reuse-source.ts';
import { insertVerification } from '../../db/verifications/insert-verification.ts';
import { noteReuse } from '../../db/verifications/reuses.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { newVerification } from '../../domain/verifications/new-verification.ts';
import { reuseProof } from '../../domain/verifications/reuse.ts';
import { CreateVerificationBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../actor-of.ts';
import { defineEndpoint } from '../endpoint.ts';
import { replayOf } from '../replay.ts';
import { scannedChainOf } from './scanned-chain.ts';

export const createVerificationEndpoint = defineEndpoint({
  method: 'POST',
  path: '/wallet-verification',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Wallet verification',
  summary: 'Start the verification of a self-hosted wallet',
  description:
    'Answers with the address of the hosted page; a proof may as well be submitted here. Without `allowedFlows` every ' +
    'flow is offered that your settings allow and that works on the blockchain, SATOSHI_TEST only with `satoshiFlow`. ' +
    'With `reuse` an earlier proof of the same wallet may do, 60 times in a minute.',
  body: CreateVerificationBody,
  responses: {
    201: { description: 'PENDING, or VERIFIED by an earlier proof.', schema: WalletVerification },
  },
  errors: ['rate_limited'],
  async handle({ body, caller, idempotency = null }, deps) {
    const { db } = deps;
    const { tenantId } = caller;
    const now = new Date();
    // Before the transaction, which must not wait for a second connection.
    const [settings] = await Promise.all([
      getTenantSettings(db.pool, tenantId),
      db.vault.tenantKeys(tenantId),
    ]);
    const scanned = scannedChainOf(deps, body.blockchain);
    const actor = actorOf(caller);
    const codes = body.reuse ? db.vault.versionedHashes('reuse', body.reuse.subject.nameHash) : [];
    const change = newVerification(body, {
      id: newId(now),
      tenantId,
      actor,
      now,
      isSandbox: deps.settings.ENVIRONMENT === 'sandbox',
      settings: settings.walletVerification,
      scanned,
      reuseCode: codes[0] ?? null,
      newId: () => newId(now),
    });
    const kept = idempotency && body.reuse && (await findKeptAnswer(db, tenantId, idempotency));
    if (kept) return replayOf(kept);
    if (body.reuse) await countReuseRequest(db.pool, tenantId, now);
    let outbox: OutboxEntry[] = [];
    const answer = await withIdempotency(db, { tenantId, idempotency, now }, async (tx) => {
      const source = await findReuseSource(tx, change.after, codes, now);
      const decided = source ? reuseProof(change, source, { actor, now }) : change;
      const armed = await armSatoshiTest(tx, scanned?.chain, decided);
      const inserted = await insertVerification(db, tx, armed, now);
      if (source) await noteReuse(tx, inserted.open.record, source, now);
      outbox = inserted.outbox;
      const { record, key } = inserted.open;
      const body = showVerification(db, inserted.open);
      return { status: 201, body, sealer: { verificationId: record.id, key } };
    });
    if (answer.replayed) return replayOf(answer);
    deps.notifyWorkflows(outbox);
    return { status: answer.status, body: answer.body };
  },
});
