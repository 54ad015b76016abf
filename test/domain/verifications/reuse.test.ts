import { SYSTEM } from '../../../domain/events/actor.ts';
import type { VerificationRecord } from '../../../domain/verifications/record.ts';
import {
  oldestProof,
  reuseProof,
  warnOfWithdrawal,
  type ReuseMatch,
} from '../../../domain/verifications/reuse.ts';
import { proofOf } from '../../../domain/verifications/wallet-proof.ts';
import { NOW, verificationOf } from '../../factories/verification-record.ts';

const actor = { kind: 'API_KEY', id: 'key-1' } as const;
const LATER = new Date(NOW.getTime() + 3_600_000);
const MATCH: ReuseMatch = { level: 'HIGH', provenAt: new Date('2026-05-04T23:59:59.999Z'), isUnbound: false };

const asking = (policy: object = {}) =>
  verificationOf({ reuse: { subject: { type: 'NATURAL', nameHash: 'ab'.repeat(32) }, policy } });
const created = (after: VerificationRecord) => ({
  after,
  events: [{ type: 'CREATED', message: 'made', actor, newStatus: 'PENDING' }],
  notify: false,
  wakesWorkflow: true,
});
const reused = (match = MATCH) => reuseProof(created(asking()), match, { actor, now: NOW });

test('is VERIFIED by the earlier proof, tells its tenant, and says the day, no more', () => {
  expect(reused()).toMatchObject({
    after: {
      status: 'VERIFIED',
      flow: null,
      verifiedAt: NOW,
      wakeAt: null,
      reuseResult: {
        matchLevel: 'HIGH',
        matchedAttributes: ['address', 'blockchain', 'subjectType', 'nameHash'],
        policy: { minimumMatchLevel: 'HIGH', maxReuseAgeDays: null },
        verifiedAt: '2026-05-04',
      },
    },
    events: [
      { type: 'CREATED' },
      {
        type: 'PROOF_REUSED',
        actor,
        previousStatus: 'PENDING',
        newStatus: 'VERIFIED',
        basis: { kind: 'VERIFICATION' },
      },
    ],
    notify: true,
    wakesWorkflow: true,
  });
});

test.each([
  ['LOW', ['address', 'blockchain', 'subjectType']],
  ['MEDIUM', ['address', 'blockchain', 'nameHash']],
] as const)('names what agreed at %s', (level, matchedAttributes) => {
  expect(reused({ ...MATCH, level }).after.reuseResult).toMatchObject({
    matchLevel: level,
    matchedAttributes,
  });
});

test('without a wish there is no reuse', () => {
  const plain = created(verificationOf());
  expect(reuseProof(plain, MATCH, { actor, now: NOW })).toBe(plain);
});

test('how old a proof may be is counted back from now', () => {
  expect(oldestProof(asking({ maxReuseAgeDays: 1 }), NOW)).toEqual(new Date(NOW.getTime() - 86_400_000));
  expect(oldestProof(asking(), NOW)).toBeNull();
});

describe('a withdrawn source', () => {
  test('is a warning, raises the risk and keeps the state; it is told once', () => {
    const record = reused().after;
    const change = warnOfWithdrawal(record, LATER);
    expect(change).toMatchObject({
      after: { status: 'VERIFIED', warnings: ['REUSE_SOURCE_WITHDRAWN'], wakeAt: null, updatedAt: LATER },
      events: [
        { type: 'REUSE_SOURCE_WITHDRAWN', actor: SYSTEM, previousStatus: 'VERIFIED', newStatus: 'VERIFIED' },
      ],
      notify: true,
    });
    expect(change?.after.riskScore).toBe(record.riskScore + 40);
    expect(change && warnOfWithdrawal(change.after, LATER)).toBeNull();
  });

  test.each([
    ['DECLINED', { status: 'DECLINED' }],
    ['not reused', { reuseResult: null }],
  ] as const)('is no news of what is %s', (_what, overrides) => {
    expect(warnOfWithdrawal({ ...reused().after, ...overrides }, LATER)).toBeNull();
  });
});

describe('what a verification is worth to a transfer', () => {
  const proven: VerificationRecord = {
    ...verificationOf({ customerIdentification: 'C-1' }),
    status: 'VERIFIED',
    verifiedAt: LATER,
    flow: 'SATOSHI_TEST',
  };

  test('its own way and moment of proof', () => {
    expect(proofOf(proven)).toEqual({
      verificationId: proven.id,
      verifiedAt: LATER,
      provenAt: LATER,
      flows: ['SATOSHI_TEST'],
      customerIdentification: 'C-1',
      warnings: [],
    });
  });

  test('reused: the day of the original proof, and each way that it may have been', () => {
    expect(proofOf(reused().after)).toMatchObject({
      verifiedAt: NOW,
      provenAt: new Date('2026-05-04T00:00:00.000Z'),
      flows: ['SIGNATURE_PROOF', 'SATOSHI_TEST'],
    });
  });

  test.each([
    { status: 'PENDING' },
    { status: 'DECLINED' },
    { deletedAt: NOW },
    { verifiedAt: null },
  ] as const)('nothing with %j', (overrides) => {
    expect(proofOf({ ...proven, ...overrides })).toBeNull();
  });
});
