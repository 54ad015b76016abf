import { addMs, earliest } from '../durations.ts';
import { COUNTERPARTY, SYSTEM } from '../events/actor.ts';
import { DELIVERY_MS, deliveryRetryMs } from '../transactions/deadlines.ts';
import { claimChanged, NO_CLAIM_CHANGE, type ClaimChange, type ClaimPairChange } from './change.ts';
import { blankClaim, remindAtFor } from './new-claim.ts';
import type { ClaimRecord } from './record.ts';
import type { ClaimFailureCode } from './state.ts';

/** The VASP that is asked: a tenant, or one outside for which a gateway stands. */
export interface AskedVasp {
  /** The tenant, or the gateway. */
  tenantId: string;
  name: string | null;
  /** Null for a VASP that is in no directory. */
  entityId: string | null;
  /** The network that carries the claim, as records show it. */
  source: string;
  /** The networks that do not reach the VASP. */
  skipped: readonly string[];
  /**
   * For a VASP outside: whether whoever answers is known to be this institution. Nobody else learns the name of the asking
   * side's customer.
   */
  outside?: { isVouched: boolean };
}

/** Both sides of a claim that reaches the originator VASP. */
export function deliveredClaim(
  own: ClaimRecord,
  { incomingId, asked, now }: { incomingId: string; asked: AskedVasp; now: Date },
): { delivered: ClaimChange; received: ClaimChange } {
  const delivered = claimChanged(
    own,
    {
      status: 'DELIVERED',
      originatorVaspEntityId: asked.entityId,
      messageSource: asked.source,
      counterpartId: incomingId,
      // From here on the record of the other side has the reminder.
      remindAt: null,
      wakeAt: own.deadlineAt,
      updatedAt: now,
    },
    {
      type: 'DELIVERED',
      message: 'The claim reached the originator VASP.',
      actor: SYSTEM,
      data: {
        network: asked.source,
        entityId: asked.entityId,
        ...(asked.skipped.length > 0 && { skipped: [...asked.skipped] }),
      },
    },
    { wakesWorkflow: false },
  );
  return { delivered, received: receivedClaim(own, { incomingId, asked, now }) };
}

/** The asked side's new record. Fields are named one by one, so that one added later is not sent by accident. */
function receivedClaim(
  sent: ClaimRecord,
  { incomingId, asked, now }: { incomingId: string; asked: AskedVasp; now: Date },
): ClaimChange {
  const { beneficiaryVaspName, beneficiaryName } = sent.personal;
  const { outside } = asked;
  const isStranger = outside?.isVouched === false;
  const remindAt = remindAtFor(sent, now);
  const after: ClaimRecord = {
    ...blankClaim,
    id: incomingId,
    tenantId: asked.tenantId,
    direction: 'INCOMING',
    status: 'DELIVERED',
    asset: sent.asset,
    blockchain: sent.blockchain,
    blockchainKey: sent.blockchainKey,
    transactionHash: sent.transactionHash,
    hashNormal: sent.hashNormal,
    origin: sent.origin,
    originNormal: sent.originNormal,
    originTag: sent.originTag,
    destination: sent.destination,
    destinationNormal: sent.destinationNormal,
    destinationTag: sent.destinationTag,
    requestedFields: sent.requestedFields,
    originatorVaspEntityId: isStranger ? null : asked.entityId,
    beneficiaryVaspEntityId: sent.beneficiaryVaspEntityId,
    messageSource: asked.source,
    counterpartId: sent.id,
    // The transactions of a VASP outside are not known here.
    lookedForTransfer: outside !== undefined,
    remindAt,
    deadlineAt: sent.deadlineAt,
    wakeAt: outside ? remindAt : now,
    createdAt: now,
    updatedAt: now,
    personal: {
      originatorVaspName: asked.name,
      beneficiaryVaspName,
      beneficiaryName: isStranger ? null : beneficiaryName,
      statusReasoning: null,
    },
  };
  const received = {
    type: 'RECEIVED',
    message: 'The beneficiary VASP claims the data of a transfer.',
    actor: COUNTERPARTY,
    newStatus: after.status,
    data: { network: asked.source, entityId: sent.beneficiaryVaspEntityId },
  };
  return { after, events: [received], notify: true, wakesWorkflow: true };
}

interface UnroutedClaim {
  /** The VASP, where it is in the directory nevertheless. */
  entityId: string | null;
  /** The networks that were tried. */
  skipped: readonly string[];
  now: Date;
}

/** Fails a claim for which no network leads to the originator VASP. */
export function unroutedClaim(own: ClaimRecord, { entityId, skipped, now }: UnroutedClaim): ClaimPairChange {
  if (own.status !== 'PENDING') return NO_CLAIM_CHANGE;
  const after = { ...own, originatorVaspEntityId: entityId };
  return failed(after, own, { failureCode: 'VASP_NOT_FOUND', skipped, now });
}

/** Puts off a claim whose originator VASP does not accept it now; 72 hours after the first attempt it fails. */
export function unreachedClaim(own: ClaimRecord, entityId: string | null, now: Date): ClaimPairChange {
  if (own.status !== 'PENDING') return NO_CLAIM_CHANGE;
  const startedAt = own.deliveryStartedAt ?? now;
  const giveUpAt = addMs(startedAt, DELIVERY_MS);
  if (giveUpAt <= now)
    return failed({ ...own, originatorVaspEntityId: entityId }, own, {
      failureCode: 'VASP_NOT_REACHABLE',
      now,
    });
  const attempts = own.deliveryAttempts + 1;
  const retryAt = earliest(addMs(now, deliveryRetryMs(attempts)), giveUpAt);
  const change = claimChanged(
    own,
    {
      originatorVaspEntityId: entityId,
      deliveryAttempts: attempts,
      deliveryStartedAt: startedAt,
      wakeAt: earliest(retryAt, own.deadlineAt),
      updatedAt: now,
    },
    {
      type: 'DELIVERY_FAILED',
      message: 'The originator VASP could not be reached; the delivery is tried again.',
      actor: SYSTEM,
      data: { attempt: attempts },
    },
    { notify: false },
  );
  return { own: change, counterpart: null };
}

const FAILURES: Record<ClaimFailureCode, string> = {
  VASP_NOT_FOUND: 'No network leads to the originator VASP.',
  VASP_NOT_REACHABLE: 'The originator VASP could not be reached.',
};

interface ClaimFailure {
  failureCode: ClaimFailureCode;
  skipped?: readonly string[];
  now: Date;
}

/** `after`: the claim with what is known of the VASP by now. */
export function failed(
  after: ClaimRecord,
  before: ClaimRecord,
  { failureCode, skipped = [], now }: ClaimFailure,
): ClaimPairChange {
  const change = claimChanged(
    before,
    { ...after, status: 'FAILED', failureCode, updatedAt: now },
    {
      type: 'FAILED',
      message: FAILURES[failureCode],
      actor: SYSTEM,
      data: {
        failureCode,
        entityId: after.originatorVaspEntityId,
        ...(skipped.length > 0 && { skipped: [...skipped] }),
      },
    },
    { wakesWorkflow: false },
  );
  return { own: change, counterpart: null };
}
