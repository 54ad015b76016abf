import { armSatoshiTest } from '../../db/chain-scan/arm-satoshi-test.ts';
import { isTestedOften } from '../../db/chain-scan/limit-per-wallet.ts';
import { newId } from '../../db/new-id.ts';
import type { Queryable } from '../../db/postgres.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { countReuseRequest } from '../../db/verifications/count-reuse-request.ts';
import { findReuseSource } from '../../db/verifications/find-reuse-source.ts';
import { insertVerification } from '../../db/verifications/insert-verification.ts';
import { noteReuse } from '../../db/verifications/reuses.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { isOwnDeposit } from '../../db/wallets/is-own-deposit.ts';
import { findBlockchain } from '../../domain/blockchains.ts';
import { isScannable, watchableAsset, type ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import { newVerification } from '../../domain/verifications/new-verification.ts';
import { reuseProof } from '../../domain/verifications/reuse.ts';
import type { ScannedChain } from '../../domain/verifications/satoshi-request.ts';
import { CreateVerificationBody, WalletVerification } from '../../domain/verifications/schema.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';
import { readChainHeight } from './read-chain-height.ts';

export const createVerificationEndpoint = defineEndpoint({
  operationId: 'createVerification',
  method: 'POST',
  path: '/wallet-verification',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Wallet verification',
  summary: 'Start the verification of a self-hosted wallet',
  description:
    'Returns the URL of the hosted page; a proof can also be submitted through the API. Without `allowedFlows`, all flows ' +
    'are offered that your settings allow and that work on the blockchain, SATOSHI_TEST only with `satoshiFlow`. With ' +
    '`reuse`, an earlier proof of the same wallet can be accepted; at most 60 such requests per minute.',
  body: CreateVerificationBody,
  example: {
    body: {
      asset: 'ETH',
      blockchain: 'Ethereum',
      address: '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
      allowedFlows: ['SIGNATURE_PROOF', 'SELF_DECLARED'],
      additionalSteps: [{ kind: 'SELFIE' }],
    },
  },
  responses: {
    201: { description: 'PENDING, or VERIFIED by an earlier proof.', schema: WalletVerification },
  },
  // not_found: the stored answer of an Idempotency-Key is not replayed after its record was deleted.
  errors: ['not_found', 'rate_limited'],
  async handle({ body, caller, commit, log }, deps) {
    const { db } = deps;
    const { tenantId } = caller;
    const now = new Date();
    // The keys are loaded before the database transaction, to keep it short.
    const [settings] = await Promise.all([
      getTenantSettings(db.pool, tenantId),
      db.vault.tenantKeys(tenantId),
    ]);
    const scanned = scannedChainOf(deps, body.blockchain);
    const actor = actorOf(caller);
    const codes = body.reuse ? db.vault.versionedHashes('reuse', body.reuse.subject.nameHash) : [];
    const created = newVerification(body, {
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
    const change = await withSatoshiTrust(db.pool, scanned?.chain, created);
    const isChosen = change.after.isSatoshiChosen;
    const fromHeight = scanned && isChosen ? await readChainHeight(scanned.chain, log) : null;
    if (body.reuse) await countReuseRequest(db.pool, tenantId, now);
    return await commit(async (tx) => {
      const source = await findReuseSource(tx, change.after, codes, now);
      const decided = source ? reuseProof(change, source, { actor, now }) : change;
      const armed = await armSatoshiTest(tx, scanned?.chain, decided, fromHeight);
      const { open, outbox } = await insertVerification(db, tx, armed, now);
      if (source) await noteReuse(tx, open.record, source, now);
      const sealer = { verificationId: open.record.id, key: open.key };
      return { status: 201, body: showVerification(db, open), outbox, sealer };
    });
  },
});

/**
 * The change of a new verification, which knows whether its satoshi test may count blocks from before it: the deposit
 * address is the tenant's, and the wallet is not tested often.
 */
async function withSatoshiTrust(
  db: Queryable,
  chain: ScanChain | undefined,
  change: VerificationChange,
): Promise<VerificationChange> {
  const { after: record } = change;
  const { satoshiDepositAddress: address, satoshiDepositNormal: addressNormal } = record;
  if (!chain || address === null || addressNormal === null || record.isSatoshiChosen) return change;
  const { tenantId, blockchainKey, asset } = record;
  const [isOwn, isOften] = await Promise.all([
    isOwnDeposit(db, { tenantId, address, addressNormal, blockchainKey, asset }),
    isTestedOften(db, chain, record),
  ]);
  return { ...change, after: { ...record, isSatoshiChosen: !isOwn || isOften } };
}

/** The chain and the assets that the scanner can watch; undefined if CHAINS_FILE has no usable node for the chain. */
function scannedChainOf(
  { settings }: Deps,
  blockchain: string,
): (ScannedChain & { chain: ScanChain }) | undefined {
  const name = findBlockchain(blockchain)?.name;
  const chain = settings.chains.find((entry) => entry.name === name);
  if (!chain || !isScannable(chain)) return undefined;
  return { chain, decimalsOf: (asset) => watchableAsset(chain, asset)?.decimals };
}
