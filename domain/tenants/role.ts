/** Everybody who acts for a tenant has one. AUDITOR is for users only, and ends. */
export const ROLES = ['ADMIN', 'COMPLIANCE', 'AUDITOR', 'OBSERVER'] as const;
export type Role = (typeof ROLES)[number];

export const KEY_ROLES = ['ADMIN', 'COMPLIANCE', 'OBSERVER'] as const satisfies readonly Role[];
export type KeyRole = (typeof KEY_ROLES)[number];

/** READ: see; DECIDE: create, change and decide; EXPORT: take copies away; ADMINISTER: keys, users, settings. */
export const PERMISSIONS = ['READ', 'DECIDE', 'EXPORT', 'ADMINISTER'] as const;
export type Permission = (typeof PERMISSIONS)[number];

const PERMITTED: Record<Role, readonly Permission[]> = {
  ADMIN: PERMISSIONS,
  COMPLIANCE: ['READ', 'DECIDE', 'EXPORT'],
  AUDITOR: ['READ', 'EXPORT'],
  OBSERVER: ['READ'],
};

export function isPermitted(role: Role, permission: Permission): boolean {
  return PERMITTED[role].includes(permission);
}

/** The roles that may do it, as the documentation names them. */
export function rolesWith(permission: Permission): Role[] {
  return ROLES.filter((role) => isPermitted(role, permission));
}
