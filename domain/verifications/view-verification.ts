import type { VerificationStep, VerificationPersonal, VerificationRecord } from './record.ts';
import { riskSeverityOf } from './risk.ts';
import { satoshiDeadline } from './satoshi-window.ts';
import type { WalletVerification } from './schema.ts';
import { NO_STEP_DOCUMENTS } from './step-documents.ts';

/** The hosted page for the owner of the wallet: derived from the record's key, never stored; null for mere readers. */
export interface HostedPage {
  token: string | null;
  url: string | null;
}

/** A verification as its tenant sees it in responses and webhooks. */
export function viewVerification(record: VerificationRecord, page: HostedPage): WalletVerification {
  const { personal } = record;
  return {
    id: record.id,
    ...page,
    asset: record.asset,
    blockchain: record.blockchain,
    address: record.address,
    metadata: personal.metadata,
    customerIdentification: personal.customerIdentification,
    status: record.status,
    statusReasoning: personal.statusReasoning,
    failureCode: record.failureCode,
    flow: record.flow,
    allowedFlows: record.allowedFlows,
    origin: personal.origin,
    redirectUrl: personal.redirectUrl,
    message: personal.message,
    signature: personal.signature,
    declaration: personal.declaration ?? null,
    verifiedTransactionHash: record.verifiedTransactionHash,
    verifiedAt: record.verifiedAt?.toISOString() ?? null,
    riskScore: record.riskScore,
    riskSeverity: riskSeverityOf(record.riskScore),
    warnings: record.warnings,
    satoshiFlow: viewSatoshiFlow(record),
    reuse: viewReuse(record),
    additionalSteps: record.steps.map((step) => viewStep(step, personal)),
    version: record.version,
    createdAt: record.createdAt.toISOString(),
    updatedAt: record.updatedAt.toISOString(),
    expiresAt: record.expiresAt.toISOString(),
  };
}

function viewSatoshiFlow(record: VerificationRecord): WalletVerification['satoshiFlow'] {
  const { satoshiAmount, satoshiDepositAddress } = record;
  const deadline = satoshiDepositAddress === null ? null : satoshiDeadline(record);
  return {
    amount: satoshiAmount,
    depositAddress: satoshiDepositAddress,
    deadlineAt: deadline?.toISOString() ?? null,
  };
}

function viewReuse({ reuseResult }: VerificationRecord): WalletVerification['reuse'] {
  if (!reuseResult) return null;
  const { isUnbound: _, policy, ...shown } = reuseResult;
  return { ...shown, policy: { ...policy, requireBound: policy.requireBound ?? false } };
}

function viewStep(
  { kind, ...step }: VerificationStep,
  { stepReasoning, stepPapers }: VerificationPersonal,
): WalletVerification['additionalSteps'][number] {
  return {
    ...step,
    kind,
    statusReasoning: stepReasoning[kind] ?? null,
    ...(stepPapers?.[kind] ?? NO_STEP_DOCUMENTS),
  };
}
