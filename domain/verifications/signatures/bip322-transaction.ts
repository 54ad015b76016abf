import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { RawOldTx } from '@scure/btc-signer/script.js';
import { Transaction } from '@scure/btc-signer/transaction.js';

const NO_OUTPUT = { txid: new Uint8Array(32), index: 0xffffffff };
const OP_RETURN = Uint8Array.of(0x6a);
const TAG = sha256(utf8ToBytes('BIP0322-signed-message'));

/** The message hash of BIP-322, which is signed instead of the text. */
export function bip322MessageHash(message: string): Uint8Array {
  return sha256(concatBytes(TAG, TAG, utf8ToBytes(message)));
}

/**
 * The transaction `to_sign` of BIP-322. It spends the output of `to_spend`, which pays to `script` and commits to the
 * message. The redeem script of a nested address is left out: witness signatures do not cover it.
 */
export function bip322ToSign(message: string, script: Uint8Array): Transaction {
  const toSign = new Transaction({ version: 0, lockTime: 0, allowUnknownOutputs: true });
  toSign.addInput({ txid: toSpendId(message, script), index: 0, sequence: 0 });
  toSign.addOutput({ script: OP_RETURN, amount: 0n });
  return toSign;
}

/** The id of `to_spend` in display byte order. */
function toSpendId(message: string, script: Uint8Array): Uint8Array {
  const messagePush = concatBytes(Uint8Array.of(0, 32), bip322MessageHash(message));
  const bytes = RawOldTx.encode({
    version: 0,
    inputs: [{ ...NO_OUTPUT, finalScriptSig: messagePush, sequence: 0 }],
    outputs: [{ amount: 0n, script }],
    lockTime: 0,
  });
  return sha256(sha256(bytes)).toReversed();
}
