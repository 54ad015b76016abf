import type { Endpoint } from '../endpoint.ts';
import { fireClaimTimerEndpoint } from './fire-claim-timer.ts';
import { fireErasureTimerEndpoint } from './fire-erasure-timer.ts';
import { fireTransactionTimerEndpoint } from './fire-transaction-timer.ts';
import { fireVerificationTimerEndpoint } from './fire-verification-timer.ts';
import { receiveFromTestVaspEndpoint } from './receive-from-test-vasp.ts';

/** Endpoints of a sandbox only. Each kind of record that waits for a deadline has a `fire-timer`. */
export const sandboxEndpoints: readonly Endpoint[] = [
  receiveFromTestVaspEndpoint,
  fireTransactionTimerEndpoint,
  fireVerificationTimerEndpoint,
  fireClaimTimerEndpoint,
  fireErasureTimerEndpoint,
];
