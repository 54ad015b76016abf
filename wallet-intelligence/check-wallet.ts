import type { Database } from '../db/database.ts';
import { insertCheck } from '../db/wallet-intelligence/insert-check.ts';
import { findWalletOwners } from '../db/wallet-intelligence/find-wallet-owners.ts';
import { findLabels } from '../db/labels/find-labels.ts';
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

/** What a check works with; one observer per process. */
export interface WalletIntelligence {
  db: Database;
  observeWallet: ObserveWallet;
}

/**
 * Who holds the keys of a wallet, and whether a program acts; stored before it is answered. What the deployment knows is read
 * anew each time. Throws validation_failed for an unknown chain or a malformed address; trouble of nodes is part of the answer.
 */
export async function checkWallet(
  intelligence: WalletIntelligence,
  tenantId: string,
  question: WalletCheckInput,
): Promise<WalletCheck> {
  const check = await examineWallet(intelligence, tenantId, question);
  await insertCheck(intelligence.db, tenantId, check, new Date(check.checkedAt));
  return check;
}

/** The same for who keeps the answer elsewhere. */
export async function examineWallet(
  { db, observeWallet }: WalletIntelligence,
  tenantId: string,
  question: WalletCheckInput,
): Promise<WalletCheck> {
  const wallet = checkedWallet(question);
  const [ownData, observed] = await Promise.all([
    question.heuristicOnly ? null : readOwnData(db, tenantId, wallet),
    observeWallet(tenantId, wallet),
  ]);
  const labelled = ownData ? await labelCounterparties(db, wallet, observed) : new Map<string, string>();
  const now = new Date();
  return conclude({ id: newId(now), wallet, ownData, observation: { ...observed, labelled }, now });
}

async function readOwnData(db: Database, tenantId: string, wallet: CheckedWallet): Promise<OwnData> {
  const place = { addressNormal: wallet.addressNormal, blockchainKey: wallet.chain.name };
  const [owners, proofs, labels] = await Promise.all([
    findWalletOwners(db.pool, tenantId, place),
    findWalletProofs(db, db.pool, tenantId, place),
    findLabels(db.pool, [wallet.addressNormal]),
  ]);
  const fitting = (labels.get(wallet.addressNormal) ?? []).filter((label) => labelFits(wallet.chain, label));
  return { ...owners, proofs, labels: fitting };
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
