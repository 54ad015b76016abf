import { DomainError } from '../../../domain/errors.ts';

/** The refusal that the call ends with; a call that is not refused fails the test. */
export function refusalOf(call: () => unknown): DomainError {
  try {
    call();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}
