import { DomainError } from '../errors.ts';
import type { ProposalKind } from '../proposals/proposal.ts';
import { isPermitted, ROLES, type Permission, type Role } from './role.ts';
import type { Settings } from './settings.ts';

type FourEyes = Settings['fourEyes'];
export type FourEyesSwitch = keyof FourEyes;

/** The acts that each switch puts under two people, and what both must be permitted. */
const ACTS: Record<FourEyesSwitch, { kinds: ProposalKind[]; permission: Permission }> = {
  rules: { kinds: ['RULES'], permission: 'DECIDE' },
  review: { kinds: ['REVIEW'], permission: 'DECIDE' },
  suppressions: { kinds: ['SUPPRESSION'], permission: 'DECIDE' },
  webhookUrl: { kinds: ['WEBHOOK_URL', 'ADDRESS_QUESTION_URL'], permission: 'ADMINISTER' },
};

const SWITCHES = Object.keys(ACTS) as FourEyesSwitch[];

/** The switches that are on after a change of settings and were off before. */
export function switchedOn(before: FourEyes, after: FourEyes): FourEyesSwitch[] {
  return SWITCHES.filter((name) => after[name] && !before[name]);
}

export function kindsOf(switches: readonly FourEyesSwitch[]): ProposalKind[] {
  return switches.flatMap((name) => ACTS[name].kinds);
}

/** The roles whose users may be the second person of the act of a switch. */
export function rolesOf(name: FourEyesSwitch): Role[] {
  return ROLES.filter((role) => isPermitted(role, ACTS[name].permission));
}

/** Throws conflict if fewer than two people could act: nobody could ever agree. */
export function requireTwoPeople(name: FourEyesSwitch, count: number): void {
  if (count >= 2) return;
  throw new DomainError(
    'conflict',
    `settings.fourEyes.${name} needs two users of role ${rolesOf(name).join(' or ')} who have set their password by a ` +
      `link of a mail; there ${count === 1 ? 'is one' : 'are none'}.`,
  );
}
