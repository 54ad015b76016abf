import { roleAllows, ROLES } from '../../../domain/tenants/role.ts';

test.each([
  ['ADMIN', ['ADMIN', 'COMPLIANCE', 'OBSERVER']],
  ['COMPLIANCE', ['COMPLIANCE', 'OBSERVER']],
  ['OBSERVER', ['OBSERVER']],
] as const)('%s may do what is for %j, and nothing else', (role, allowed) => {
  expect(ROLES.filter((needed) => roleAllows(role, needed))).toEqual(allowed);
});
