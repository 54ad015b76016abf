import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { OutScript } from '@scure/btc-signer/payment.js';
import { RawWitness } from '@scure/btc-signer/script.js';
import { bip322ToSign } from './bip322-transaction.ts';
import { hash160, witnessScript, type BitcoinDestination } from '../../addresses/bitcoin-destination.ts';
import { malformedSignature, mismatchedSignature } from './signature-refusals.ts';

/** The virtual spend of an output to `script` by this witness, as defined by the simple form of BIP-322. */
interface Spend {
  message: string;
  script: Uint8Array;
  witness: readonly Uint8Array[];
}

const SIGHASH_DEFAULT = 0;
const SIGHASH_ALL = 1;
const KEY_BYTES = 33;
const SCHNORR_BYTES = 64;

/**
 * Checks the simple form of BIP-322, a serialised witness: p2wpkh, p2wsh with multisig or one key, both also nested in
 * p2sh, and the key path of p2tr. There is no script interpreter, so other scripts are refused. Throws
 * signature_malformed or signature_mismatch.
 */
export function checkBip322(destination: BitcoinDestination, message: string, bytes: Uint8Array): void {
  const witness = readWitness(bytes);
  const program = destination.kind === 'SCRIPT_HASH' ? nestedProgram(witness) : destination;
  if (program.kind !== 'WITNESS') {
    throw malformedSignature(
      'For this kind of address the signature must be in the form of BIP-137 (65 bytes in base64).',
    );
  }
  const script = witnessScript(program.version, program.program);
  const isOwner = destination.kind !== 'SCRIPT_HASH' || equalBytes(hash160(script), destination.program);
  const spent = destination.kind === 'SCRIPT_HASH' ? scriptHashScript(destination.program) : script;
  if (!isOwner || !isSpent(program, { message, script: spent, witness })) throw mismatchedSignature(message);
}

function readWitness(bytes: Uint8Array): Uint8Array[] {
  try {
    const witness = RawWitness.decode(bytes);
    if (witness.length > 0) return witness;
  } catch {
    // Refused below, like an empty witness.
  }
  throw malformedSignature('The signature is neither BIP-137 (65 bytes) nor the simple form of BIP-322.');
}

/** The witness program behind a nested address: the last witness element is its key or script. */
function nestedProgram(witness: readonly Uint8Array[]): BitcoinDestination & { kind: 'WITNESS' } {
  const last = witness.at(-1) ?? new Uint8Array();
  const isKey = witness.length === 2 && last.length === KEY_BYTES;
  return { kind: 'WITNESS', version: 0, program: isKey ? hash160(last) : sha256(last) };
}

function scriptHashScript(hash: Uint8Array): Uint8Array {
  return OutScript.encode({ type: 'sh', hash });
}

function isSpent({ version, program }: BitcoinDestination & { kind: 'WITNESS' }, spend: Spend): boolean {
  if (version === 0)
    return program.length === 20 ? isSpentByKey(program, spend) : isSpentByScript(program, spend);
  if (version === 1 && program.length === 32) return isSpentByTaprootKey(program, spend);
  throw notCheckable();
}

function isSpentByKey(keyHash: Uint8Array, spend: Spend): boolean {
  const [signature, key] = spend.witness;
  if (spend.witness.length !== 2 || !signature || key?.length !== KEY_BYTES) return false;
  if (!equalBytes(hash160(key), keyHash)) return false;
  return isSignedBy(key, signature, hashWitnessV0(spend, OutScript.encode({ type: 'pkh', hash: keyHash })));
}

function isSpentByScript(scriptHash: Uint8Array, spend: Spend): boolean {
  const script = spend.witness.at(-1);
  if (!script || !equalBytes(sha256(script), scriptHash)) return false;
  const { required, keys, isMultisig } = readWitnessScript(script);
  const given = spend.witness.slice(0, -1);
  // CHECKMULTISIG pops one element too many from the stack; it must be empty.
  if (isMultisig && given.shift()?.length !== 0) return false;
  return given.length === required && areSignedInOrder(given, keys, hashWitnessV0(spend, script));
}

function readWitnessScript(script: Uint8Array) {
  const parsed = parseScript(script);
  if (parsed?.type === 'pk')
    return requireShortKeys({ required: 1, keys: [parsed.pubkey], isMultisig: false });
  if (parsed?.type === 'ms') {
    return requireShortKeys({ required: parsed.m, keys: parsed.pubkeys, isMultisig: true });
  }
  throw notCheckable();
}

function parseScript(script: Uint8Array) {
  try {
    return OutScript.decode(script);
  } catch {
    return undefined;
  }
}

/** Throws for uncompressed keys: network rules do not allow them in a witness. */
function requireShortKeys<T extends { keys: Uint8Array[] }>(parsed: T): T {
  if (parsed.keys.some(({ length }) => length !== KEY_BYTES)) throw notCheckable();
  return parsed;
}

/** Like CHECKMULTISIG: signatures must be in the order of their keys, and all must be valid. */
function areSignedInOrder(signatures: Uint8Array[], keys: Uint8Array[], hash: Uint8Array): boolean {
  let next = 0;
  for (const key of keys) {
    const signature = signatures[next];
    if (signature && isSignedBy(key, signature, hash)) next += 1;
  }
  return next === signatures.length;
}

/** Whether the key made the signature: strict DER with low s, followed by the byte SIGHASH_ALL. */
function isSignedBy(key: Uint8Array, signature: Uint8Array, hash: Uint8Array): boolean {
  if (signature.at(-1) !== SIGHASH_ALL) return false;
  const options = { prehash: false, format: 'der', lowS: true } as const;
  try {
    return secp256k1.verify(signature.subarray(0, -1), hash, key, options);
  } catch {
    return false;
  }
}

function isSpentByTaprootKey(outputKey: Uint8Array, spend: Spend): boolean {
  const [signature] = spend.witness;
  if (spend.witness.length !== 1 || !signature) throw notCheckable();
  const hashType = signature.length === SCHNORR_BYTES ? SIGHASH_DEFAULT : signature[SCHNORR_BYTES];
  if (hashType === undefined || signature.length > SCHNORR_BYTES + 1) return false;
  // BIP-341 does not allow an explicit SIGHASH_DEFAULT.
  if (signature.length > SCHNORR_BYTES && hashType !== SIGHASH_ALL) return false;
  const hash = bip322ToSign(spend.message, spend.script).preimageWitnessV1(0, [spend.script], hashType, [0n]);
  return isSignedBySchnorr(outputKey, signature.subarray(0, SCHNORR_BYTES), hash);
}

function isSignedBySchnorr(key: Uint8Array, signature: Uint8Array, hash: Uint8Array): boolean {
  try {
    return schnorr.verify(signature, hash, key);
  } catch {
    return false;
  }
}

function hashWitnessV0({ message, script }: Spend, scriptCode: Uint8Array): Uint8Array {
  return bip322ToSign(message, script).preimageWitnessV0(0, scriptCode, SIGHASH_ALL, 0n);
}

function notCheckable() {
  return malformedSignature(
    'The script behind this address cannot be checked here: only single keys and plain multisig can. Use the satoshi test.',
  );
}
