import { z } from 'zod';

/** What an analysis may find. */
export const LIVENESS_RESULTS = ['PASS', 'FAIL', 'INCONCLUSIVE'] as const;

/** A file that was given for a step; its own name is told with the files of the verification. */
export const StepDocument = z
  .strictObject({
    id: z.uuid(),
    type: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'StepDocument' });
export type StepDocument = z.infer<typeof StepDocument>;

/** What a program found out about a selfie: a hint for whoever decides. */
export const StepAnalysis = z
  .strictObject({
    result: z.enum(LIVENESS_RESULTS),
    score: z.number().nullable(),
    provider: z.string(),
    reference: z.string().nullable().describe("The provider's own id of it."),
    modelVersion: z.string().nullable(),
    analysedAt: z.iso.datetime(),
  })
  .meta({ id: 'StepAnalysis' });
export type StepAnalysis = z.infer<typeof StepAnalysis>;

/** What a sender says about the files of a step, such as how they were taken. */
export const StepMetadata = z.record(z.string(), z.json());
export type StepMetadata = z.infer<typeof StepMetadata>;

/** What was last given for a step and found about it. */
export interface StepPapers {
  documents: StepDocument[];
  metadata: StepMetadata | null;
  analysis: StepAnalysis | null;
}

export const NO_PAPERS: StepPapers = { documents: [], metadata: null, analysis: null };
