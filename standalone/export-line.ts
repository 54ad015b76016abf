import type { RunningProduct } from './announce.ts';

/** A line for a shell that sets the address of the api and the keys: API, OPERATOR, ALPINE and HARBOUR. */
export function exportLine({
  apiUrl,
  operatorKey,
  tenants,
}: Pick<RunningProduct, 'apiUrl' | 'operatorKey' | 'tenants'>): string {
  const variables = [
    ['API', apiUrl],
    ['OPERATOR', operatorKey],
    ...tenants.map(({ name, apiKey }) => [name.split(' ')[0]?.toUpperCase(), apiKey]),
  ];
  return `export ${variables.map(([name, value]) => `${name}='${value}'`).join(' ')}`;
}
