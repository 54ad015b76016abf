import type { Blockchain } from '../blockchains.ts';
import { invalidField } from '../errors.ts';
import { signatureSchemesOf } from './signatures/signature-schemes.ts';
import type { VerificationRecord } from './record.ts';
import { FLOWS, type VerificationFlow } from './state.ts';

interface FlowChoice {
  /** Flows in the request; undefined offers all possible ones. */
  requested: readonly VerificationFlow[] | undefined;
  /** Flows that the tenant's settings allow. */
  allowed: readonly VerificationFlow[];
  chain: Blockchain;
  hasSatoshiFlow: boolean;
}

/**
 * The verification flows to offer. Requested flows must all be possible; without a request all possible flows are
 * offered: a satoshi test needs a deposit address, a signature proof a chain whose signatures can be checked. Throws
 * validation_failed, also for a deposit address where the settings allow no satoshi test.
 */
export function chooseFlows({ requested, allowed, chain, hasSatoshiFlow }: FlowChoice): VerificationFlow[] {
  const canSign = signatureSchemesOf(chain).length > 0;
  if (!requested) {
    if (hasSatoshiFlow && !allowed.includes('SATOSHI_TEST')) {
      throw invalidField('/satoshiFlow', 'flow_forbidden', 'Your settings do not allow SATOSHI_TEST.');
    }
    const offered = FLOWS.filter((flow) => allowed.includes(flow)).filter(
      (flow) => (flow !== 'SATOSHI_TEST' || hasSatoshiFlow) && (flow !== 'SIGNATURE_PROOF' || canSign),
    );
    if (offered.length > 0) return offered;
    throw invalidField(
      '/allowedFlows',
      'no_flow_left',
      'None of the flows in your settings is possible here.',
    );
  }
  if (requested.includes('SIGNATURE_PROOF') && !canSign) {
    throw invalidField(
      '/allowedFlows',
      'flow_not_supported',
      'Signatures cannot be checked on this blockchain.',
    );
  }
  const forbidden = requested.filter((flow) => !allowed.includes(flow));
  if (forbidden.length > 0) {
    throw invalidField(
      '/allowedFlows',
      'flow_forbidden',
      `Your settings do not allow ${forbidden.join(', ')}.`,
    );
  }
  return FLOWS.filter((flow) => requested.includes(flow));
}

/** Throws validation_failed for a flow that this verification does not offer. */
export function requireFlow(
  { allowedFlows }: Pick<VerificationRecord, 'allowedFlows'>,
  flow: VerificationFlow,
): void {
  if (allowedFlows.includes(flow)) return;
  const message = `This verification allows ${allowedFlows.join(', ')}.`;
  throw invalidField('/verificationFlow', 'flow_not_allowed', message);
}
