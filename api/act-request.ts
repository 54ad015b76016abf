import type { TenantCaller } from './caller.ts';
import type { CommitEffect } from './idempotency.ts';

/** A request for an act that may need two people: as it was sent, or by approving the proposal of it. */
export interface ActRequest<Body> {
  caller: TenantCaller;
  commit: CommitEffect;
  body: Body;
  /** The id of the proposal that is approved; null where the request asks for the act itself. */
  approves: string | null;
}
