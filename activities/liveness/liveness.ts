import type { StepAnalysis, StepMetadata } from '../../domain/verifications/step-documents.ts';

/** A photograph or film of a selfie, read when it is asked for. */
export interface SelfieFile {
  /** Of ours: the sender's names are nobody else's business. */
  name: string;
  type: string;
  content: () => AsyncIterable<Uint8Array>;
}

export interface SelfieImage {
  files: readonly SelfieFile[];
  metadata: StepMetadata | null;
}

export type LivenessFinding = Omit<StepAnalysis, 'analysedAt'>;

/** Says whether a selfie shows somebody who was there. */
export interface Liveness {
  /** Null leaves it to a person altogether. Throws when nothing can be said now. */
  analyse(selfie: SelfieImage, signal: AbortSignal): Promise<LivenessFinding | null>;
}

/** Without a program a person looks. */
export const manualReview: Liveness = { analyse: async () => await Promise.resolve(null) };
