import type { VerificationFlow, HostedVerification, StepKind } from './hosted-verification.ts';
import type { Screen } from './page.ts';

/** The ways of proof, strongest first. */
const STRENGTH: readonly VerificationFlow[] = [
  'SIGNATURE_PROOF',
  'SATOSHI_TEST',
  'VISUAL_PROOF',
  'SELF_DECLARED',
];

export function offeredFlows({ allowedFlows, satoshiFlow }: HostedVerification): VerificationFlow[] {
  const isPossible = (flow: VerificationFlow) =>
    flow !== 'SATOSHI_TEST' || satoshiFlow.depositAddress !== null;
  return STRENGTH.filter((flow) => allowedFlows.includes(flow) && isPossible(flow));
}

/** A proof was accepted or waits for a person; what is left are additional steps. */
export function isFinished({ status }: HostedVerification): boolean {
  return status === 'VERIFIED' || status === 'ACTION_REQUIRED';
}

/** Whether a proof can still be given, as far as the clock of this device can tell. */
export function isOpen({ status, expiresAt }: HostedVerification, now: Date): boolean {
  return status === 'PENDING' && new Date(expiresAt) > now;
}

/** The steps for which files are missing. */
export function openSteps({ additionalSteps }: HostedVerification): StepKind[] {
  return additionalSteps.filter(({ status }) => takesFiles(status)).map(({ kind }) => kind);
}

function takesFiles(status: HostedVerification['additionalSteps'][number]['status']): boolean {
  return status === 'NOT_STARTED' || status === 'DECLINED' || status === 'FAILED';
}

/** Whether the owner of the wallet has nothing left to do. */
export function isDone(verification: HostedVerification): boolean {
  return isFinished(verification) && openSteps(verification).length === 0;
}

/** The screen, or the overview when it has nothing to do any more. */
export function screenFor(verification: HostedVerification, screen: Screen, now: Date): Screen {
  if (screen === 'HOME') return screen;
  if (screen === 'SELFIE' || screen === 'SOURCE_OF_FUNDS_WEALTH')
    return openSteps(verification).includes(screen) ? screen : 'HOME';
  const isOffered = isOpen(verification, now) && offeredFlows(verification).includes(screen);
  return isOffered || isWatched(verification, screen) ? screen : 'HOME';
}

/** A transfer that came in time may be seen after the end of the time: the page goes on waiting for it. */
function isWatched({ status, flow }: HostedVerification, screen: Screen): boolean {
  return screen === 'SATOSHI_TEST' && status === 'PENDING' && flow === 'SATOSHI_TEST';
}

/** Where the page begins: at the only way there is, or at the one that has been started. */
export function firstScreen(verification: HostedVerification): Screen {
  if (verification.status !== 'PENDING') return 'HOME';
  const offered = offeredFlows(verification);
  const started =
    verification.flow !== null && offered.includes(verification.flow) ? verification.flow : undefined;
  if (started) return started;
  const [only] = offered;
  return only !== undefined && offered.length === 1 && verification.additionalSteps.length === 0
    ? only
    : 'HOME';
}
