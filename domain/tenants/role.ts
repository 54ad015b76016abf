export const ROLES = ['ADMIN', 'COMPLIANCE', 'OBSERVER'] as const;
export type Role = (typeof ROLES)[number];

const RANK: Record<Role, number> = { OBSERVER: 1, COMPLIANCE: 2, ADMIN: 3 };

/** Each role may do what the ones below it may. */
export function roleAllows(role: Role, needed: Role): boolean {
  return RANK[role] >= RANK[needed];
}
