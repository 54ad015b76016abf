import type { Schemas } from '../../packages/client/src/operations.ts';

/** A verification as its owner sees it, as the OpenAPI document describes it. */
export type HostedVerification = Schemas['HostedVerification'];
export type HostedMessage = Schemas['HostedMessage'];
export type VerificationFlow = HostedVerification['allowedFlows'][number];
export type StepKind = HostedVerification['additionalSteps'][number]['kind'];
