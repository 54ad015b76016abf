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

/** Asks the wallet's contract about a signature that the key check has refused. Throws if the signature stays refused. */
export type TryContract = (refusal: unknown, given: ContractSignature) => Promise<ContractCheck>;

/**
 * Returns a function that lets the wallet's contract check a signature that is not of the address's own key. It rethrows
 * the refusal unless the tenant allows contract wallets and the chain is EVM with a node. The key is always checked first,
 * even if there is code at the address. Throws signature_mismatch, signature_malformed, temporarily_unavailable.
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
    // The contract would only see a plain text, but the signature may be of a typed-data permit: refused as from a key.
    if (looksLikeTypedData(message)) throw mismatchedSignature(message);
    const hex = requireContractSignature(message, signature);
    const check = await askContract({ chain, address: record.address, message, signature: hex });
    if (!check) throw mismatchedSignature(message);
    return check;
  };
}

/** True if the key check refused a signature of another key or of another form, which a contract may accept. */
function mayBeContract(refusal: unknown): refusal is DomainError {
  if (!(refusal instanceof DomainError)) return false;
  return refusal.code === 'signature_mismatch' || refusal.code === 'signature_malformed';
}
