import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConflictProblem, Unauthenticated, Waybill } from '@waybill/client';
import { ensureAdministrator, type DemoAdministrator } from './demo-administrators.ts';
import { writePrivate } from './home.ts';

/** A tenant as its API key reads it. Each change of its webhookUrl makes a new webhookSecret. */
interface ReadTenant {
  id: string;
  name: string;
  apiKey: string;
  webhookSecret: string;
}

/** A tenant for trials, with the user who administers it; without one if another tenant has the e-mail address. */
export interface DemoTenant extends ReadTenant, Partial<DemoAdministrator> {}

const NEW_TENANTS = [
  {
    name: 'Alpine Exchange',
    legalName: 'Alpine Exchange AG',
    country: 'CH',
    email: 'compliance@alpine.example',
    adminEmail: 'admin@alpine.example',
  },
  {
    name: 'Harbour Custody',
    legalName: 'Harbour Custody GmbH',
    country: 'DE',
    email: 'travelrule@harbour.example',
    adminEmail: 'admin@harbour.example',
  },
];

/** For the user: in what the demo tenants differ from a tenant that an operator makes. */
export const DEMO_SETTINGS = [
  'Unlike new tenants, these two need no proof of a self-hosted wallet (selfHosted.thresholdEur is null, not 1000)',
  'and make AML checks with the built-in provider.',
];

interface DemoTenantOptions {
  apiUrl: string;
  operatorKey: string;
  home: string;
}

/** Creates the two demo tenants and their administrators once; keys and passwords are stored in the home folder for the next start. */
export async function ensureDemoData({
  apiUrl,
  operatorKey,
  home,
}: DemoTenantOptions): Promise<DemoTenant[]> {
  const file = join(home, 'demo-tenants.json');
  const kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {};
  const tenants: DemoTenant[] = [];
  for (const { adminEmail, ...newTenant } of NEW_TENANTS) {
    const apiKey =
      (await usableKey(apiUrl, kept[newTenant.name])) ?? (await createTenant(apiUrl, operatorKey, newTenant));
    kept[newTenant.name] = apiKey;
    writePrivate(file, kept);
    const { webhookUrl: _webhookUrl, ...tenant } = await readTenant(apiUrl, apiKey);
    tenants.push({ ...tenant, ...(await ensureAdministrator({ apiUrl, apiKey, home, adminEmail })) });
  }
  return tenants;
}

/** Reads the id, name and present webhook endpoint of the tenant that owns the API key. Asks once: callers come again. */
export async function readTenant(
  apiUrl: string,
  apiKey: string,
): Promise<ReadTenant & { webhookUrl: string | null }> {
  const { tenant } = new Waybill({ baseUrl: apiUrl, apiKey });
  const { id, name, webhookUrl, webhookSecret } = await tenant.get({ retries: 0 });
  if (webhookSecret === null) throw new Error(`The key of ${name} has not the role ADMIN.`);
  return { id, name, apiKey, webhookUrl, webhookSecret };
}

/** Returns the stored key if it works; it may belong to another database, or be revoked. */
async function usableKey(apiUrl: string, apiKey: string | undefined): Promise<string | undefined> {
  if (!apiKey) return undefined;
  try {
    await new Waybill({ baseUrl: apiUrl, apiKey }).tenant.get();
    return apiKey;
  } catch (error) {
    if (error instanceof Unauthenticated) return undefined;
    throw error;
  }
}

async function createTenant(
  apiUrl: string,
  operatorKey: string,
  newTenant: Omit<(typeof NEW_TENANTS)[number], 'adminEmail'>,
): Promise<string> {
  try {
    const operator = new Waybill({ baseUrl: apiUrl, operatorKey });
    const made = await operator.request('POST', '/operator/tenants', { body: newTenant });
    const { apiKey } = made.apiKey;
    const { tenant } = new Waybill({ baseUrl: apiUrl, apiKey });
    // Without this, the legal threshold for transfers to self-hosted wallets would stop trials.
    await tenant.patchSettings({ selfHosted: { thresholdEur: null } });
    // The built-in provider makes AML checks without a contract with a vendor.
    await tenant.putServiceKey({ feature: 'aml_check', provider: 'builtin' });
    return apiKey;
  } catch (error) {
    if (!(error instanceof ConflictProblem)) throw error;
    throw new Error(
      `The database already has a tenant "${newTenant.name}", but this home folder has no API key of it. ` +
        'Use the WAYBILL_HOME that created the tenant, or another database.',
      { cause: error },
    );
  }
}
