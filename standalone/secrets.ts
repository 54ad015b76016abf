import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readPrivate, writePrivate } from './home.ts';

const hex32 = z.string().regex(/^[0-9a-f]{64}$/);
const StandaloneSecrets = z.object({
  masterKey: hex32,
  operatorKey: z.string().min(16),
  postgresPassword: hex32,
});

/** Random secrets of a home. They must never change: another master key cannot decrypt the stored data. */
export type StandaloneSecrets = z.infer<typeof StandaloneSecrets>;

/** Reads the home's secrets, or creates them at the first start. */
export function homeSecrets(home: string): StandaloneSecrets {
  const file = join(home, 'secrets.json');
  const kept = readPrivate(file, StandaloneSecrets);
  if (kept) return kept;
  const secrets = {
    masterKey: randomBytes(32).toString('hex'),
    operatorKey: `wb_operator_${randomBytes(24).toString('base64url')}`,
    postgresPassword: randomBytes(32).toString('hex'),
  };
  writePrivate(file, secrets);
  return secrets;
}
