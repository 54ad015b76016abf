import type { Database } from '../../db/database.ts';
import { triesOf, type CountedTry, type TryLimit } from '../../db/users/counted-tries.ts';

/** Whoever asks for more could find out who has an account here. */
const TAKEN_ADDRESSES: TryLimit = {
  purpose: 'taken-addresses',
  max: 20,
  seconds: 86_400,
  refusal: 'Too many e-mail addresses that cannot be used were given today.',
};

/** The e-mail addresses of others that a tenant has given for new users. */
export function takenAddresses(db: Database, tenantId: string): CountedTry {
  return triesOf(db, TAKEN_ADDRESSES, tenantId);
}
