import type { Database } from '../database.ts';

/** The keyed hash by which the user of an e-mail address in lower case is found (32 bytes). */
export function emailHash({ vault }: Pick<Database, 'vault'>, email: string): Buffer {
  return vault.deploymentHash('user-email', email);
}
