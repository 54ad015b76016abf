import type { Logger } from 'pino';
import { countAttempt } from '../../db/verifications/count-attempt.ts';
import { getVerification } from '../../db/verifications/find-verification.ts';
import { DomainError } from '../../domain/errors.ts';
import { requireSubmittable } from '../../domain/verifications/submission.ts';
import type { Deps } from '../deps.ts';
import { receiveFiles, type ReceivedFiles } from './receive-files.ts';

interface ExpectedForm {
  tenantId: string;
  id: string;
  log: Logger;
  /** True if the form may be a repeat under an Idempotency-Key: it is then read to its end before it is refused. */
  isRepeatable: boolean;
}

/** Receives the files of a visual proof. Checks the status and counts the attempt before it stores a file. */
export function receiveProof(deps: Deps, { tenantId, id, log, isRepeatable }: ExpectedForm): ReceivedFiles {
  return receiveFiles(deps, {
    kind: 'VISUAL_PROOF',
    log,
    async admit() {
      const open = await getVerification(deps.db, tenantId, id);
      const now = new Date();
      try {
        requireSubmittable(open.record, 'VISUAL_PROOF', now);
      } catch (error) {
        if (isRepeatable && error instanceof DomainError) return null;
        throw error;
      }
      await countAttempt(deps.db.pool, { tenantId, id }, now);
      return open;
    },
  });
}
