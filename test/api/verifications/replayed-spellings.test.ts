import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base64 } from '@scure/base';
import knex from 'knex';
import { normalAddress } from '../../../domain/address.ts';
import { base58CheckText } from '../../../domain/addresses/base58.ts';
import { hash160 } from '../../../domain/addresses/bitcoin-destination.ts';
import { up } from '../../../db/migrations/20261122_0045_spell_signers.ts';
import { signBip137 } from '../../domain/verifications/signatures/bip137-signer.ts';
import { createTenant } from '../../factories/tenant.ts';
import { createVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);

/** A key, its address as Bitcoin writes it, and a text that it has signed. */
function signedText() {
  const privateKey = new Uint8Array(randomBytes(32));
  const hash = hash160(secp256k1.getPublicKey(privateKey, true));
  const legacy = base58CheckText(Uint8Array.from([0, ...hash]));
  const message = `I own ${legacy}.`;
  const signature = base64.encode(signBip137(privateKey, message, 31));
  return { legacy, proof: { verificationFlow: 'SIGNATURE_PROOF', message, signature } };
}

const COINS: [string, string][] = [
  ['Bitcoin', 'BTC'],
  ['Bitcoin Cash', 'BCH'],
];

async function prove(
  by: typeof tenant,
  [blockchain, asset]: [string, string],
  { legacy, proof }: ReturnType<typeof signedText>,
) {
  const { id } = await createVerification(by, { blockchain, asset, address: legacy });
  const { status, body } = await submit(by, id, proof);
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'VERIFIED' } });
  return { id, warnings: body.warnings };
}

test.each([
  ['Bitcoin, then Bitcoin Cash', COINS],
  ['Bitcoin Cash, then Bitcoin', COINS.toReversed()],
])('a text that was signed for an account is a replay under another spelling of it: %s', async (_, coins) => {
  const signed = signedText();
  const [first, second] = coins;
  if (!first || !second) throw new Error('two coins are expected');
  const stranger = await createTenant(api);
  expect((await prove(stranger, first, signed)).warnings).not.toContain('MESSAGE_REPLAYED');
  expect((await prove(tenant, second, signed)).warnings).toContain('MESSAGE_REPLAYED');
});

test('migration 0043 keeps that true for texts that were accepted before', async () => {
  const signed = signedText();
  const { id } = await prove(tenant, ['Bitcoin Cash', 'BCH'], signed);
  const spelled = normalAddress('Bitcoin Cash', signed.legacy);
  const before = spelled.ok ? spelled.normal : '';
  await database.pool.query('update signed_messages set address_normal = $2 where verification_id = $1', [
    id,
    before,
  ]);
  const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  await db.transaction(up);
  await db.transaction(up);
  await db.destroy();
  expect((await prove(tenant, ['Bitcoin', 'BTC'], signed)).warnings).toContain('MESSAGE_REPLAYED');
});
