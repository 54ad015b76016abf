import type { Blockchain } from '../../blockchains.ts';
import { checkBitcoinSignature } from './check-bitcoin-signature.ts';
import { checkEd25519 } from './check-ed25519.ts';
import { checkEip191 } from './check-eip191.ts';
import { checkTip191 } from './check-tip191.ts';
import { requireSignableMessage } from './require-signable-message.ts';
import { malformedSignature, noSignatureProof } from './signature-refusals.ts';
import { signatureSchemesOf, type SignatureScheme } from './signature-schemes.ts';

/** A submitted proof of ownership; `address` is valid for the chain, in any spelling. */
export interface SignatureProof {
  blockchain: Blockchain;
  address: string;
  message: string;
  signature: string;
}

export interface SignatureCheck {
  scheme: SignatureScheme;
  warnings: readonly [];
}

/** The longest supported signature, a witness of 16 signatures and 16 keys, has under 3,000 characters in base64. */
const MAX_SIGNATURE_CHARACTERS = 8 * 1024;

/**
 * Checks offline that the key of the address signed exactly this text (UTF-8, nothing trimmed). Throws `message_empty`,
 * `validation_failed`, `signature_malformed`, `signature_mismatch` or `signature_typed_data`. No error contains message,
 * signature or address: a rejected signature may be a valid token permit.
 */
export async function checkSignature(proof: SignatureProof): Promise<SignatureCheck> {
  if (signatureSchemesOf(proof.blockchain).length === 0) throw noSignatureProof('blockchain');
  requireSignableMessage(proof.message);
  if (proof.signature === '')
    throw malformedSignature('The signature is empty. Send the signature that the wallet returned.');
  if (proof.signature.length > MAX_SIGNATURE_CHARACTERS) {
    throw malformedSignature(
      'The signature is too long. Send only the signature that the wallet returned, without the message.',
    );
  }
  return { scheme: await checkByFormat(proof), warnings: [] };
}

async function checkByFormat(proof: SignatureProof): Promise<SignatureScheme> {
  const { blockchain, address, message, signature } = proof;
  if (blockchain.addressFormat === 'EVM') {
    await checkEip191(address, message, signature);
    return 'EIP191';
  }
  if (blockchain.addressFormat === 'TRON') {
    checkTip191(address, message, signature);
    return 'TIP191';
  }
  if (blockchain.addressFormat === 'SOLANA') {
    checkEd25519(address, message, signature);
    return 'ED25519';
  }
  return checkBitcoinSignature(blockchain.addressFormat, address, message, signature);
}
