import { sha256 } from '@noble/hashes/sha2.js';
import { RawWitness } from '@scure/btc-signer/script.js';
import { Transaction } from '@scure/btc-signer/transaction.js';

interface Payment {
  script: Uint8Array;
  redeemScript?: Uint8Array;
  witnessScript?: Uint8Array;
  tapInternalKey?: Uint8Array;
}

/** The witness of BIP-322's simple form, made by the signer and finaliser of a wallet library. */
export function signBip322(
  privateKeys: Uint8Array[],
  message: string,
  payment: Payment,
  sighash?: number,
): Uint8Array {
  const toSign = new Transaction({ version: 0, allowUnknownOutputs: true });
  toSign.addInput({
    txid: toSpend(message, payment.script),
    index: 0,
    sequence: 0,
    witnessUtxo: { script: payment.script, amount: 0n },
    ...(payment.redeemScript && { redeemScript: payment.redeemScript }),
    ...(payment.witnessScript && { witnessScript: payment.witnessScript }),
    ...(payment.tapInternalKey && { tapInternalKey: payment.tapInternalKey }),
    ...(sighash !== undefined && { sighashType: sighash }),
  });
  toSign.addOutput({ script: Uint8Array.of(0x6a), amount: 0n });
  for (const privateKey of privateKeys)
    toSign.signIdx(privateKey, 0, sighash === undefined ? undefined : [sighash]);
  toSign.finalizeIdx(0);
  return RawWitness.encode(toSign.getInput(0).finalScriptWitness ?? []);
}

/** Id of the transaction whose only output is the one to be "spent", written out by hand. */
function toSpend(message: string, script: Uint8Array): Uint8Array {
  const tag = sha256(Buffer.from('BIP0322-signed-message'));
  const messageHash = sha256(Buffer.concat([tag, tag, Buffer.from(message)]));
  const bytes = Buffer.concat([
    Buffer.from('00000000' + '01' + '00'.repeat(32) + 'ffffffff' + '22' + '0020', 'hex'),
    messageHash,
    Buffer.from('00000000' + '01' + '00'.repeat(8), 'hex'),
    Uint8Array.of(script.length),
    script,
    Buffer.from('00000000', 'hex'),
  ]);
  return sha256(sha256(bytes)).toReversed();
}
