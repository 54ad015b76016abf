import { DomainError } from '../errors.ts';

/** The error for every act of or for a tenant that an operator has suspended. */
export function tenantSuspended(): DomainError {
  return new DomainError(
    'tenant_suspended',
    'The operator of this deployment has suspended the tenant. Its data stays as it is.',
  );
}
