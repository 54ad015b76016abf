import { invalidField } from '../errors.ts';
import type { Role } from '../tenants/role.ts';

const DAY_MS = 86_400_000;
const AUDITOR_DAYS = 90;

/**
 * When the access of a user ends: an auditor comes for a while, whoever stays has another role. Throws validation_failed if
 * the end is missing, not within 90 days, or given for another role.
 */
export function endOfAccess(role: Role, given: Date | null, now: Date): Date | null {
  if (role !== 'AUDITOR') {
    if (given === null) return null;
    throw invalidField('/expiresAt', 'not_allowed', 'Only the access of an AUDITOR has an end.');
  }
  if (given === null) {
    throw invalidField('/expiresAt', 'required', 'An AUDITOR needs an end of their access.');
  }
  if (given > now && given.getTime() <= now.getTime() + AUDITOR_DAYS * DAY_MS) return given;
  throw invalidField(
    '/expiresAt',
    'out_of_range',
    `A time within the next ${AUDITOR_DAYS} days is expected.`,
  );
}
