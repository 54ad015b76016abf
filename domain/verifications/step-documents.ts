import { z } from 'zod';

/** Results of a liveness analysis. */
export const LIVENESS_RESULTS = ['PASS', 'FAIL', 'INCONCLUSIVE'] as const;

/** A file submitted for a step; its name is only shown in the files of the verification. */
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

/** The result of an automatic analysis of a selfie, a hint for the reviewer. */
export const StepAnalysis = z
  .strictObject({
    result: z.enum(LIVENESS_RESULTS),
    score: z.number().nullable(),
    provider: z.string(),
    reference: z.string().nullable().describe("The provider's own id of the analysis."),
    modelVersion: z.string().nullable(),
    analysedAt: z.iso.datetime(),
  })
  .meta({ id: 'StepAnalysis' });
export type StepAnalysis = z.infer<typeof StepAnalysis>;

/** The sender's data about the files of a step, such as how they were taken. */
export const StepMetadata = z.record(z.string(), z.json());
export type StepMetadata = z.infer<typeof StepMetadata>;

/** The last submission for a step, with its analysis. */
export interface StepDocuments {
  documents: StepDocument[];
  metadata: StepMetadata | null;
  analysis: StepAnalysis | null;
}

export const NO_STEP_DOCUMENTS: StepDocuments = { documents: [], metadata: null, analysis: null };
