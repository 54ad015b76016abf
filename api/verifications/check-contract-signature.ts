import { askContract } from '../../chains/ask-contract.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { findBlockchain } from '../../domain/blockchains.ts';
import { DomainError } from '../../domain/errors.ts';
import type { ContractCheck } from '../../domain/verifications/contract-check.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { looksLikeTypedData } from '../../domain/verifications/signatures/looks-like-typed-data.ts';
import { requireContractSignature } from '../../domain/verifications/signatures/require-contract-signature.ts';
import { mismatchedSignature } from '../../domain/verifications/signatures/signature-refusals.ts';
import type { Deps } from '../deps.ts';

interface ContractSignature {
  message: string;
  signature: string;
}

/** How a refusal by the key itself is tried again with the contract; throws the refusal that stands. */
export type TryContract = (refusal: unknown, given: ContractSignature) => Promise<ContractCheck>;

/**
 * Where the tenant allows contract wallets and the chain has a node: lets the wallet's contract judge a signature that is
 * not the key's own. The key comes first, whatever code is at the address. Throws what the proof is refused with.
 */
export function contractChecker(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  record: VerificationRecord,
): TryContract {
  return async (refusal, { message, signature }) => {
    const name = findBlockchain(record.blockchainKey)?.name;
    const chain = settings.chains.find((entry) => entry.name === name);
    if (!mayBeContract(refusal) || !chain || chain.kind !== 'EVM' || chain.rpcUrl.length === 0) throw refusal;
    const { walletVerification } = await getTenantSettings(db.pool, record.tenantId);
    if (!walletVerification.contractWallets) throw refusal;
    // A contract would be asked about the plain text, and yet what was signed may be a permit: refused as from a key.
    if (looksLikeTypedData(message)) throw mismatchedSignature(message);
    const hex = requireContractSignature(message, signature);
    const check = await askContract({ chain, address: record.address, message, signature: hex });
    if (!check) throw mismatchedSignature(message);
    return check;
  };
}

/** A signature of another key or of another form. */
function mayBeContract(refusal: unknown): refusal is DomainError {
  if (!(refusal instanceof DomainError)) return false;
  return refusal.code === 'signature_mismatch' || refusal.code === 'signature_malformed';
}
