import { invalidField } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { addressAt, blockchainAt } from '../normalised-places.ts';
import type { VerificationChange } from './change.ts';
import { chooseFlows } from './flows.ts';
import type { VerificationStep, VerificationPersonal, VerificationRecord } from './record.ts';
import { satoshiFieldsOf, type ScannedChain } from './satoshi-request.ts';
import { satoshiDeadline } from './satoshi-window.ts';
import type { CreateVerificationBody } from './schema.ts';
import type { VerificationFlow } from './state.ts';
import { reminderAt } from './time.ts';
import { secureUrlAt, webOriginAt } from './web-address.ts';
import { HOUR_MS } from '../durations.ts';

interface NewVerificationInput {
  id: string;
  tenantId: string;
  actor: Actor;
  now: Date;
  isSandbox: boolean;
  /** The tenant's settings for verifications. */
  settings: { allowedFlows: readonly VerificationFlow[]; expiresInHours: number };
  /** The body's chain; undefined if the deployment has no node for it. */
  scanned: ScannedChain | undefined;
  /** The keyed form of `reuse.subject.nameHash`; null without `reuse`. */
  reuseCode: Buffer | null;
  newId: () => string;
}

/** A tenant's new verification, not yet stored. Throws validation_failed for faults that the schema cannot check. */
export function newVerification(
  body: CreateVerificationBody,
  input: NewVerificationInput,
): VerificationChange {
  const { now, settings } = input;
  // Proofs depend on the blockchain, so an unknown one is refused.
  const chain = blockchainAt('/blockchain', body.blockchain);
  const addressNormal = addressAt('/address', chain.name, body.address);
  const satoshi = satoshiFieldsOf(body, { chain, scanned: input.scanned, addressNormal });
  const allowedFlows = chooseFlows({
    requested: body.allowedFlows,
    allowed: settings.allowedFlows,
    chain,
    hasSatoshiFlow: body.satoshiFlow !== undefined,
  });
  const expiresAt = endOfTime(allowedFlows, now, body.expiresInHours ?? settings.expiresInHours);
  const after: VerificationRecord = {
    ...blankVerification,
    id: input.id,
    tenantId: input.tenantId,
    allowedFlows,
    asset: body.asset,
    blockchain: body.blockchain,
    blockchainKey: chain.name,
    address: body.address,
    addressNormal,
    ...satoshi,
    reuseRequest: reuseRequestOf(body),
    reuseCode: input.reuseCode,
    steps: (body.additionalSteps ?? []).map((step) => newStep(step, input.newId())),
    expiresAt,
    wakeAt: reminderAt({ createdAt: now, expiresAt }),
    createdAt: now,
    updatedAt: now,
    personal: personalOf(body, input),
  };
  const created = {
    type: 'CREATED',
    message: 'Verification of a self-hosted wallet started.',
    actor: input.actor,
    newStatus: after.status,
    data: { allowedFlows: after.allowedFlows, expiresAt: expiresAt.toISOString() },
  };
  return { after, events: [created], notify: false, wakesWorkflow: true };
}

/** The end of the time for a proof. Where nothing but a satoshi test can be given, it is over with the time for the transfer. */
function endOfTime(allowedFlows: readonly VerificationFlow[], createdAt: Date, hours: number): Date {
  const expiresAt = new Date(createdAt.getTime() + hours * HOUR_MS);
  const isTestAlone = allowedFlows.every((flow) => flow === 'SATOSHI_TEST');
  return isTestAlone ? satoshiDeadline({ createdAt, expiresAt }) : expiresAt;
}

/** The initial values of every new record. */
const blankVerification = {
  status: 'PENDING',
  failureCode: null,
  flow: null,
  verifiedTransactionHash: null,
  verifiedAt: null,
  riskScore: 0,
  warnings: [],
  reuseResult: null,
  badTries: 0,
  pageRevision: 1,
  reminded: false,
  version: 1,
  sequence: 0,
  head: Buffer.alloc(0),
  headMac: null,
  deletedAt: null,
} satisfies Partial<VerificationRecord>;

function reuseRequestOf({ reuse }: CreateVerificationBody): VerificationRecord['reuseRequest'] {
  if (!reuse) return null;
  const { minimumMatchLevel, maxReuseAgeDays = null, requireBound } = reuse.policy;
  const subjectType = reuse.subject.type ?? null;
  if (subjectType === null && minimumMatchLevel !== 'MEDIUM') {
    const message = `${minimumMatchLevel} compares the type of the owner.`;
    throw invalidField('/reuse/subject/type', 'required', message);
  }
  return { subjectType, policy: { minimumMatchLevel, maxReuseAgeDays, requireBound } };
}

function newStep(
  { kind, autoConfirm }: Pick<VerificationStep, 'kind' | 'autoConfirm'>,
  id: string,
): VerificationStep {
  return { id, kind, status: 'NOT_STARTED', autoConfirm, submittedAt: null, reviewedAt: null };
}

function personalOf(body: CreateVerificationBody, rules: NewVerificationInput): VerificationPersonal {
  const { origin, redirectUrl } = body;
  if (redirectUrl !== undefined) secureUrlAt('/redirectUrl', redirectUrl, rules);
  return {
    metadata: body.metadata ?? null,
    statusReasoning: null,
    customerIdentification: body.customerIdentification ?? null,
    origin: origin === undefined ? null : webOriginAt('/origin', origin, rules),
    redirectUrl: redirectUrl ?? null,
    message: null,
    signature: null,
    signIn: null,
    stepReasoning: {},
  };
}
