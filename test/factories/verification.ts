import { randomBytes } from 'node:crypto';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import type { WalletVerification as ShownVerification } from '../../domain/verifications/schema.ts';
import type { Json, TestAnswer } from '../api-client.ts';
import type { Client } from './tenant.ts';
import { evmAddress } from './transaction.ts';

/** A verification as callers from COMPLIANCE up see it: with its hosted page. */
export type WalletVerification = ShownVerification & { token: string; url: string };

/** A wallet whose key the test holds. */
export function evmWallet(): PrivateKeyAccount {
  return privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
}

/** The smallest valid create body, for an address of its own. */
export function verificationBody(overrides: Json = {}): Json {
  return { asset: 'ETH', blockchain: 'Ethereum', address: evmAddress(), ...overrides };
}

export async function createVerification(tenant: Client, overrides: Json = {}): Promise<WalletVerification> {
  const answer = await tenant.post<WalletVerification>('/wallet-verification', verificationBody(overrides));
  if (answer.status !== 201) throw new Error(`not created: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A text that names the verification, signed by the wallet's key. */
export async function signedFor(
  wallet: PrivateKeyAccount,
  { id }: Pick<WalletVerification, 'id'>,
): Promise<{ verificationFlow: 'SIGNATURE_PROOF'; message: string; signature: string }> {
  const message = `I own ${wallet.address}.\nVerification ${id}`;
  return { verificationFlow: 'SIGNATURE_PROOF', message, signature: await wallet.signMessage({ message }) };
}

export async function submit(
  tenant: Client,
  id: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<TestAnswer<WalletVerification & Json>> {
  return await tenant.post(`/wallet-verification/${id}/verification`, body, { headers });
}

export async function readVerification(tenant: Client, id: string): Promise<WalletVerification> {
  const answer = await tenant.get<WalletVerification>(`/wallet-verification/${id}`);
  if (answer.status !== 200) throw new Error(`not read: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
