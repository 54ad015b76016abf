import { ApplicationFailure } from '@temporalio/common';
import { DomainError } from '../domain/errors.ts';

export type ReportFailure = (activity: string, error: unknown) => void;

type ActivityFunction = (input: never) => Promise<unknown>;

/**
 * Wraps activities so that nothing but a fixed text can reach a workflow's history: driver errors carry values, and
 * values are personal data. Temporal tries everything again; failures that are ApplicationFailures pass as they are.
 */
export function withFixedFailures<T extends Record<string, ActivityFunction>>(
  activities: T,
  report: ReportFailure,
): T {
  const guarded = Object.entries(activities).map(
    ([name, activity]) => [name, guard(name, activity, report)] as const,
  );
  return Object.fromEntries(guarded) as T;
}

function guard(name: string, activity: ActivityFunction, report: ReportFailure): ActivityFunction {
  return async (input) => {
    try {
      return await activity(input);
    } catch (error) {
      if (error instanceof ApplicationFailure) throw error;
      report(name, error);
      const type = error instanceof DomainError ? error.code : 'STEP_FAILED';
      throw ApplicationFailure.retryable(`${name} could not be done; it is tried again.`, type);
    }
  };
}
