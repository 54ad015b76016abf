import type { Database } from '../db/database.ts';
import { insertCheck } from '../db/wallet-intelligence/insert-check.ts';
import { findWalletOwners } from '../db/wallet-intelligence/find-wallet-owners.ts';
import { findLabels } from '../db/labels/find-labels.ts';
import { findLabelledEntity } from '../db/labels/labelled-entity.ts';
import { newId } from '../db/new-id.ts';
import { findWalletProofs } from '../db/verifications/find-wallet-proofs.ts';
import type { WalletObservation } from '../domain/wallet-intelligence/activity.ts';
import {
  checkedWallet,
  type CheckedWallet,
  type WalletCheckInput,
} from '../domain/wallet-intelligence/check.ts';
import { conclude } from '../domain/wallet-intelligence/conclude.ts';
import { counterpartiesOf } from '../domain/wallet-intelligence/counterparties.ts';
import { labelFits, type OwnData } from '../domain/wallet-intelligence/own-data.ts';
import type { WalletCheck } from '../domain/wallet-intelligence/schema.ts';
import type { ObserveWallet, ObservedWallet } from './observe-wallet.ts';

/** Dependencies of a wallet check; one observer per process. */
export interface WalletIntelligence {
  db: Database;
  observeWallet: ObserveWallet;
}

/**
 * Finds out who holds the keys of a wallet and whether a program acts, and stores the check before returning it. The
 * deployment's own data is read anew each time; failures of nodes are part of the result. Throws validation_failed for an
 * unknown chain or a malformed address.
 */
export async function checkWallet(
  intelligence: WalletIntelligence,
  tenantId: string,
  input: WalletCheckInput,
): Promise<WalletCheck> {
  const check = await examineWallet(intelligence, tenantId, input);
  await insertCheck(intelligence.db, tenantId, check, new Date(check.checkedAt));
  return check;
}

/** Like `checkWallet`, but stores nothing: for callers that store the result themselves. */
export async function examineWallet(
  { db, observeWallet }: WalletIntelligence,
  tenantId: string,
  input: WalletCheckInput,
): Promise<WalletCheck> {
  const wallet = checkedWallet(input);
  const [ownData, observed] = await Promise.all([
    input.heuristicOnly ? null : readOwnData(db, tenantId, wallet),
    observeWallet(tenantId, wallet),
  ]);
  const labelled = ownData ? await labelCounterparties(db, wallet, observed) : new Map<string, string>();
  const now = new Date();
  return conclude({ id: newId(now), wallet, ownData, observation: { ...observed, labelled }, now });
}

async function readOwnData(db: Database, tenantId: string, wallet: CheckedWallet): Promise<OwnData> {
  const walletRef = { addressNormal: wallet.addressNormal, blockchainKey: wallet.chain.name };
  const owners = await findWalletOwners(db.pool, tenantId, walletRef);
  // Two at once, as for a list: what a tenant has under way in its turns leaves connections to others.
  const [proofs, labels] = await Promise.all([
    findWalletProofs(db, db.pool, tenantId, walletRef),
    findLabels(db.pool, [wallet.addressNormal]),
  ]);
  const fitting = (labels.get(wallet.addressNormal) ?? []).filter((label) => labelFits(wallet.chain, label));
  const labelledEntityId = await findLabelledEntity(db.pool, fitting[0]);
  return { ...owners, proofs, labels: fitting, labelledEntityId };
}

async function labelCounterparties(
  db: Database,
  wallet: CheckedWallet,
  observed: ObservedWallet,
): Promise<WalletObservation['labelled']> {
  const found = await findLabels(db.pool, counterpartiesOf(wallet, observed));
  const labelled = new Map<string, string>();
  for (const [address, labels] of found) {
    const label = labels.find((each) => labelFits(wallet.chain, each));
    if (label) labelled.set(address, label.type);
  }
  return labelled;
}
