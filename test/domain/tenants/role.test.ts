import { isPermitted, PERMISSIONS, rolesWith, ROLES } from '../../../domain/tenants/role.ts';

test.each([
  ['ADMIN', ['READ', 'DECIDE', 'EXPORT', 'ADMINISTER']],
  ['COMPLIANCE', ['READ', 'DECIDE', 'EXPORT']],
  ['AUDITOR', ['READ', 'EXPORT']],
  ['OBSERVER', ['READ']],
] as const)('%s may %j, and nothing else', (role, permitted) => {
  expect(PERMISSIONS.filter((permission) => isPermitted(role, permission))).toEqual(permitted);
});

test('rolesWith names the roles that may do it, the strongest first', () => {
  expect(PERMISSIONS.map(rolesWith)).toEqual([
    ROLES,
    ['ADMIN', 'COMPLIANCE'],
    ['ADMIN', 'COMPLIANCE', 'AUDITOR'],
    ['ADMIN'],
  ]);
});
