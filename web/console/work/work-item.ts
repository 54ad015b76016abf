import type { Schemas } from '../api-types.ts';
import { pathTo } from '../place.ts';

export type WorkItem = Schemas['WorkItem'];

/** The page on which an item is dealt with. */
export function pathOfItem({ kind, resource: { id } }: WorkItem): string {
  switch (kind) {
    case 'TRANSACTION':
    case 'RECONCILIATION':
      return pathTo('transactions', id);
    case 'VERIFICATION':
      return pathTo('verifications', id);
    case 'CLAIM':
      return pathTo('claims', id);
    case 'PROPOSAL':
      return pathTo('proposals', id);
    case 'RULE_CONFIGURATION':
      return pathTo('rules', id);
    case 'COUNTERPARTY':
      return pathTo('counterparties', id);
    case 'WEBHOOK':
    case 'API_KEY':
    case 'SERVICE_KEY':
      return pathTo('settings');
  }
}

/** Two items may be about one record. */
export function keyOfItem({ kind, why, nextAction, resource }: WorkItem): string {
  return `${kind}/${resource.id}/${why}/${nextAction}`;
}
