import type { RunningProduct } from './running-product.ts';
import type { DemoTenant } from './demo-data.ts';

interface RunningKeys extends Pick<RunningProduct, 'apiUrl' | 'operatorKey'> {
  tenants: readonly Pick<DemoTenant, 'name' | 'apiKey' | 'adminEmail' | 'adminPassword'>[];
}

/**
 * A line for a shell that sets the address of the api, the keys (OPERATOR, ALPINE and HARBOUR) and the administrators
 * (ALPINE_EMAIL, ALPINE_PASSWORD and so on).
 */
export function exportLine({ apiUrl, operatorKey, tenants }: RunningKeys): string {
  const variables = [['API', apiUrl], ['OPERATOR', operatorKey], ...tenants.flatMap(variablesOf)];
  return `export ${variables.map(([name, value]) => `${name}='${value}'`).join(' ')}`;
}

function variablesOf({
  name,
  apiKey,
  adminEmail,
  adminPassword,
}: RunningKeys['tenants'][number]): [string, string][] {
  const tenant = name.split(' ')[0]?.toUpperCase() ?? '';
  const key: [string, string] = [tenant, apiKey];
  if (adminEmail === undefined || adminPassword === undefined) return [key];
  return [key, [`${tenant}_EMAIL`, adminEmail], [`${tenant}_PASSWORD`, adminPassword]];
}
