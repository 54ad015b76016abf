import type { RunningProduct } from './announce.ts';
import type { DemoTenant } from './demo-data.ts';

interface RunningKeys extends Pick<RunningProduct, 'apiUrl' | 'operatorKey'> {
  tenants: readonly Pick<DemoTenant, 'name' | 'apiKey'>[];
}

/** A line for a shell that sets the address of the api and the keys: API, OPERATOR, ALPINE and HARBOUR. */
export function exportLine({ apiUrl, operatorKey, tenants }: RunningKeys): string {
  const variables = [
    ['API', apiUrl],
    ['OPERATOR', operatorKey],
    ...tenants.map(({ name, apiKey }) => [name.split(' ')[0]?.toUpperCase(), apiKey]),
  ];
  return `export ${variables.map(([name, value]) => `${name}='${value}'`).join(' ')}`;
}
