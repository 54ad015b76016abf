import { randomUUID } from 'node:crypto';
import { newVerification } from '../../domain/verifications/new-verification.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { ScannedChain } from '../../domain/verifications/satoshi-request.ts';
import { CreateVerificationBody } from '../../domain/verifications/schema.ts';
import { FLOWS, type VerificationFlow } from '../../domain/verifications/state.ts';

/** The moment at which records of this factory are made. */
export const NOW = new Date('2026-11-21T10:00:00.000Z');
export const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/**
 * A verification as the service makes it from a body, not stored anywhere; a chain is scanned where one is given, and
 * the settings allow all flows or the given ones.
 */
export function verificationOf(
  body: object = {},
  scanned?: ScannedChain,
  allowedFlows: readonly VerificationFlow[] = FLOWS,
): VerificationRecord {
  const given = { asset: 'ETH', blockchain: 'Ethereum', address: WALLET, ...body };
  return newVerification(CreateVerificationBody.parse(given), {
    id: randomUUID(),
    tenantId: randomUUID(),
    actor: { kind: 'API_KEY', id: randomUUID() },
    now: NOW,
    isSandbox: true,
    settings: { allowedFlows, expiresInHours: 48 },
    scanned,
    reuseCode: null,
    newId: randomUUID,
  }).after;
}
