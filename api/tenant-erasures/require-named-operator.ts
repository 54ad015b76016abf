import { DomainError } from '../../domain/errors.ts';
import { UNNAMED_OPERATOR } from '../../process/operator-keys.ts';
import type { OperatorCaller } from '../caller.ts';

/** The name of an operator who has a key of their own. Throws forbidden for the key that several may share. */
export function requireNamedOperator({ actor: { operatorName } }: OperatorCaller): string {
  if (operatorName !== UNNAMED_OPERATOR) return operatorName;
  throw new DomainError(
    'forbidden',
    'Two operators erase a tenant, so each needs a key with a name: give them keys in OPERATOR_KEYS.',
  );
}
