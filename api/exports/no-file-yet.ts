import { DomainError } from '../../domain/errors.ts';
import type { ExportRecord } from '../../domain/exports/export.ts';

/** The refusal where an export has no file. */
export function noFileYet({ state }: Pick<ExportRecord, 'state'>): DomainError {
  return new DomainError(
    'conflict',
    state === 'MAKING' ? 'The file is still being made.' : 'The file could not be made: ask for another.',
  );
}
