import { addMs, earliest } from '../durations.ts';
import { COUNTERPARTY, SYSTEM } from '../events/actor.ts';
import { DELIVERY_MS, deliveryRetryMs } from '../transactions/deadlines.ts';
import { claimChanged, NO_CLAIM_CHANGE, type ClaimChange, type ClaimPairChange } from './change.ts';
import { blankClaim, remindAtFor } from './new-claim.ts';
import type { ClaimRecord } from './record.ts';
import type { ClaimFailureCode } from './state.ts';

/** The tenant that is asked. */
interface AskedTenant {
  tenantId: string;
  name: string;
  entityId: string;
}

/** Both sides of a claim that reaches another tenant of this deployment. */
export function deliveredClaim(
  own: ClaimRecord,
  { incomingId, asked, now }: { incomingId: string; asked: AskedTenant; now: Date },
): { delivered: ClaimChange; received: ClaimChange } {
  const delivered = claimChanged(
    own,
    {
      status: 'DELIVERED',
      originatorVaspEntityId: asked.entityId,
      messageSource: 'NATIVE',
      counterpartId: incomingId,
      wakeAt: own.deadlineAt,
      updatedAt: now,
    },
    {
      type: 'DELIVERED',
      message: 'The claim reached the originator VASP.',
      actor: SYSTEM,
      data: { network: 'NATIVE', entityId: asked.entityId },
    },
    { wakesWorkflow: false },
  );
  return { delivered, received: receivedClaim(own, { incomingId, asked, now }) };
}

/** The asked tenant's new record. Fields are named one by one, so that one added later is not sent by accident. */
function receivedClaim(
  sent: ClaimRecord,
  { incomingId, asked, now }: { incomingId: string; asked: AskedTenant; now: Date },
): ClaimChange {
  const { beneficiaryVaspName, beneficiaryName } = sent.personal;
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
    originatorVaspEntityId: asked.entityId,
    beneficiaryVaspEntityId: sent.beneficiaryVaspEntityId,
    messageSource: 'NATIVE',
    counterpartId: sent.id,
    remindAt: remindAtFor(sent, now),
    deadlineAt: sent.deadlineAt,
    wakeAt: now,
    createdAt: now,
    updatedAt: now,
    personal: {
      originatorVaspName: asked.name,
      beneficiaryVaspName,
      beneficiaryName,
      statusReasoning: null,
    },
  };
  const received = {
    type: 'RECEIVED',
    message: 'The beneficiary VASP claims the data of a transfer.',
    actor: COUNTERPARTY,
    newStatus: after.status,
    data: { network: 'NATIVE', entityId: sent.beneficiaryVaspEntityId },
  };
  return { after, events: [received], notify: true, wakesWorkflow: true };
}

/** Fails a claim for which no network leads to the originator VASP. `entityId`: it is in the directory nevertheless. */
export function unroutedClaim(own: ClaimRecord, entityId: string | null, now: Date): ClaimPairChange {
  if (own.status !== 'PENDING') return NO_CLAIM_CHANGE;
  return failed({ ...own, originatorVaspEntityId: entityId }, own, 'VASP_NOT_FOUND', now);
}

/** Puts off a claim whose originator VASP does not accept it now; 72 hours after the first attempt it fails. */
export function unreachedClaim(own: ClaimRecord, entityId: string | null, now: Date): ClaimPairChange {
  if (own.status !== 'PENDING') return NO_CLAIM_CHANGE;
  const startedAt = own.deliveryStartedAt ?? now;
  const giveUpAt = addMs(startedAt, DELIVERY_MS);
  if (giveUpAt <= now)
    return failed({ ...own, originatorVaspEntityId: entityId }, own, 'VASP_NOT_REACHABLE', now);
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
  VASP_NOT_REACHABLE: 'The originator VASP could not be reached for 72 hours.',
};

function failed(
  after: ClaimRecord,
  before: ClaimRecord,
  failureCode: ClaimFailureCode,
  now: Date,
): ClaimPairChange {
  const change = claimChanged(
    before,
    { ...after, status: 'FAILED', failureCode, updatedAt: now },
    {
      type: 'FAILED',
      message: FAILURES[failureCode],
      actor: SYSTEM,
      data: { failureCode, entityId: after.originatorVaspEntityId },
    },
    { wakesWorkflow: false },
  );
  return { own: change, counterpart: null };
}
