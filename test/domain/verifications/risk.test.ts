import {
  riskScoreOf,
  riskSeverityOf,
  WARNINGS,
  type ProofWarning,
} from '../../../domain/verifications/risk.ts';
import { deleteVerification, revokeVerification } from '../../../domain/verifications/end-verification.ts';
import { declareOwnership } from '../../../domain/verifications/submission.ts';
import { expire } from '../../../domain/verifications/time.ts';
import { verificationOf } from '../../factories/verification-record.ts';
import { FLOWS, type VerificationFlow } from '../../../domain/verifications/state.ts';

const facts: Parameters<typeof riskScoreOf>[0] = {
  status: 'VERIFIED',
  failureCode: null,
  flow: null,
  warnings: [],
};

const FLOW_POINTS: Record<VerificationFlow, number> = {
  SIGNATURE_PROOF: 5,
  SATOSHI_TEST: 10,
  VISUAL_PROOF: 34,
  SELF_DECLARED: 50,
};

test.each(FLOWS)('%s: only a proof that was given counts, and a stronger one leaves less risk', (flow) => {
  expect(riskScoreOf({ ...facts, status: 'PENDING', flow })).toBe(0);
  for (const status of ['VERIFIED', 'ACTION_REQUIRED'] as const) {
    expect(riskScoreOf({ ...facts, status, flow })).toBe(FLOW_POINTS[flow]);
  }
});

test.each<[string, Partial<typeof facts>, number, string]>([
  ['no proof in time', { status: 'FAILED', failureCode: 'EXPIRED' }, 60, 'medium'],
  [
    'a transfer that did not come',
    { status: 'FAILED', failureCode: 'EXPIRED', flow: 'SATOSHI_TEST' },
    60,
    'medium',
  ],
  ['ten wrong proofs', { status: 'FAILED', failureCode: 'TOO_MANY_ATTEMPTS' }, 80, 'high'],
  ['a picture that was declined', { status: 'DECLINED', flow: 'VISUAL_PROOF' }, 80, 'high'],
  [
    'a signature that was revoked',
    { status: 'DECLINED', failureCode: 'REVOKED', flow: 'SIGNATURE_PROOF' },
    80,
    'high',
  ],
  ['a reuse that was revoked', { status: 'DECLINED', failureCode: 'REVOKED', reuseResult: {} }, 80, 'high'],
  [
    'a listed wallet',
    { status: 'FAILED', failureCode: 'EXPIRED', warnings: ['ADDRESS_SANCTIONED'] },
    100,
    'high',
  ],
])('%s is riskier than a declaration', (_what, given, score, severity) => {
  expect(riskScoreOf({ ...facts, ...given })).toBe(score);
  expect(riskSeverityOf(score)).toBe(severity);
});

test('an expired and a revoked verification show it, and so does their deletion', () => {
  const act = { actor: { kind: 'SYSTEM' }, now: new Date() } as const;
  const made = verificationOf({});
  const expired = expire(made, made.expiresAt)?.after;
  const declared = declareOwnership(made, { ...act, now: made.createdAt }).after;
  const revoked = revokeVerification(declared, 'x', act).after;
  expect([expired?.riskScore, declared.riskScore, revoked.riskScore]).toEqual([60, 50, 80]);
  expect(deleteVerification(revoked, act).after.riskScore).toBe(80);
  expect(deleteVerification(declared, act).after.riskScore).toBe(50);
});

const WARNING_POINTS: Record<ProofWarning, number> = {
  MESSAGE_REPLAYED: 40,
  FOREIGN_DOMAIN: 40,
  UNBOUND_MESSAGE: 20,
  CONTRACT_SIGNATURE: 30,
  ADDRESS_CUSTODIAL: 40,
  ADDRESS_LABELLED: 60,
  ADDRESS_SANCTIONED: 100,
  WRONG_AMOUNT: 0,
  WRONG_ASSET: 0,
  WRONG_SENDER: 20,
  MIXED_INPUTS: 20,
  SPENDER_TRANSFER: 20,
  PROOF_REORGED: 40,
  REUSE_SOURCE_WITHDRAWN: 40,
};

test.each(WARNINGS)('%s adds its points to those of the proof, whatever the status', (warning) => {
  expect(riskScoreOf({ ...facts, status: 'PENDING', warnings: [warning] })).toBe(WARNING_POINTS[warning]);
  expect(riskScoreOf({ ...facts, flow: 'SIGNATURE_PROOF', warnings: [warning] })).toBe(
    Math.min(100, 5 + WARNING_POINTS[warning]),
  );
});

test('the score ends at 100', () => {
  expect(riskScoreOf({ ...facts, flow: 'SELF_DECLARED', warnings: WARNINGS })).toBe(100);
});

test.each([
  [0, 'low'],
  [33, 'low'],
  [34, 'medium'],
  [66, 'medium'],
  [67, 'high'],
  [100, 'high'],
])('%d is %s', (score, severity) => {
  expect(riskSeverityOf(score)).toBe(severity);
});
