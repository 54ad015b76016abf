import { isDeepStrictEqual } from 'node:util';
import { readTenant, type DemoTenant } from './demo-data.ts';

const LOOK_EVERY_MS = 5_000;

interface FollowedTenants {
  apiUrl: string;
  tenants: DemoTenant[];
}

/**
 * Looks every five seconds whether a demo tenant has another webhook secret: each change of its webhookUrl makes one.
 * `onChange` gets all tenants as they are then. Returns a function that ends this.
 */
export function followSecrets(
  { apiUrl, tenants: first }: FollowedTenants,
  onChange: (tenants: DemoTenant[]) => void,
): () => void {
  let known = first;
  let isLooking = false;
  const look = async () => {
    const tenants = await Promise.all(
      known.map(async (tenant) => {
        const { webhookSecret } = await readTenant(apiUrl, tenant.apiKey);
        return { ...tenant, webhookSecret };
      }),
    );
    if (isDeepStrictEqual(tenants, known)) return;
    known = tenants;
    onChange(tenants);
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // While the api is away, or a key was revoked, the file stays as it is.
    void look()
      .catch(() => undefined)
      .finally(() => (isLooking = false));
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
