import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SignedIn } from '../../domain/users/schema.ts';
import { ensureAdministrator } from '../../standalone/demo-administrators.ts';
import { createTenant } from '../factories/tenant.ts';
import { useApi, useTenant } from '../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api);
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'waybill-admin-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ensure = async (adminEmail: string, { apiKey } = tenant) =>
  await ensureAdministrator({ apiUrl: api.url, apiKey, home, adminEmail });
const signIn = async (email: string, password: string) =>
  await api.request<SignedIn>('POST', '/auth/signin', { body: { email, password } });

test('made once, with a random password that only this user can read; signs in as ADMIN', async () => {
  const adminEmail = 'admin@alpine.example';
  const made = await ensure(adminEmail);
  expect(await ensure(adminEmail)).toEqual(made);
  const { status, body } = await signIn(adminEmail, made?.adminPassword ?? '');
  expect([status, body.user.role]).toEqual([201, 'ADMIN']);
  const file = join(home, 'demo-administrators.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [adminEmail]: made?.adminPassword });
});

test('another database gets the same password; another home does not break the start', async () => {
  const adminEmail = 'admin@harbour.example';
  const made = await ensure(adminEmail);
  expect(made?.adminPassword).toHaveLength(24);
  // Another tenant has the address.
  expect(await ensure(adminEmail, await createTenant(api))).toBeUndefined();
});
