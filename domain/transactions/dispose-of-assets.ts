import { DomainError, invalidRequest } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import { hashFields } from '../normalised-places.ts';
import { hashFaults } from './new-transaction.ts';
import { NO_CHANGE, type PairChange } from './change.ts';
import type { TransactionRecord } from './record.ts';
import type { DisposeBody } from './schema.ts';

/**
 * Records what the tenant did with the coins that it received. The other side does not learn it, and no status changes. Throws
 * invalid_transition for an OUTGOING transaction, validation_failed for a hash that its blockchain does not have.
 */
export function disposeOfAssets(
  own: TransactionRecord,
  { assetsDisposition, returnTransactionHash }: DisposeBody,
  { actor, now }: { actor: Actor; now: Date },
): PairChange {
  if (own.direction === 'OUTGOING')
    throw new DomainError('invalid_transition', 'Only of an INCOMING transaction the coins are with you.', {
      members: { allowed: [] },
    });
  const hash = returnTransactionHash === undefined ? null : hashOf(own, returnTransactionHash);
  if (own.assetsDisposition === assetsDisposition && own.returnTransactionHash === hash) return NO_CHANGE;
  return {
    own: {
      after: { ...own, assetsDisposition, returnTransactionHash: hash, updatedAt: now },
      events: [
        {
          type: 'ASSETS_DISPOSED',
          message: `The coins were recorded as ${assetsDisposition}.`,
          actor,
          data: { assetsDisposition, previous: own.assetsDisposition },
        },
      ],
      notify: false,
      wakesWorkflow: false,
    },
    counterpart: null,
    forwarded: null,
  };
}

/** The hash in its normal form. The chain is known from the record, so a hash of another form is a mistake. */
function hashOf({ blockchain }: TransactionRecord, given: string): string {
  const faults = hashFaults({ ...(blockchain !== null && { blockchain }), transactionHash: given });
  if (faults.length > 0)
    throw invalidRequest(faults.map((fault) => ({ ...fault, pointer: '/returnTransactionHash' })));
  return hashFields(given).transactionHash ?? given;
}
