import {
  riskScoreOf,
  riskSeverityOf,
  WARNINGS,
  type ProofWarning,
} from '../../../domain/verifications/risk.ts';
import { FLOWS, VERIFICATION_STATUSES, type Flow } from '../../../domain/verifications/state.ts';

const FLOW_POINTS: Record<Flow, number> = {
  SIGNATURE_PROOF: 5,
  SATOSHI_TEST: 10,
  VISUAL_PROOF: 34,
  SELF_DECLARED: 50,
};

test.each(FLOWS)('%s: only a proof that was given counts, and a stronger one leaves less risk', (flow) => {
  expect(riskScoreOf({ status: 'PENDING', flow, warnings: [] })).toBe(0);
  for (const status of VERIFICATION_STATUSES.filter((one) => one !== 'PENDING')) {
    expect(riskScoreOf({ status, flow, warnings: [] })).toBe(FLOW_POINTS[flow]);
  }
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
  expect(riskScoreOf({ status: 'PENDING', flow: null, warnings: [warning] })).toBe(WARNING_POINTS[warning]);
  expect(riskScoreOf({ status: 'VERIFIED', flow: 'SIGNATURE_PROOF', warnings: [warning] })).toBe(
    Math.min(100, 5 + WARNING_POINTS[warning]),
  );
});

test('the score ends at 100', () => {
  expect(riskScoreOf({ status: 'VERIFIED', flow: 'SELF_DECLARED', warnings: WARNINGS })).toBe(100);
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
