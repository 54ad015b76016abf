import type { z } from 'zod';
import { TransferClaim } from '../../domain/claims/schema.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import { ReconciliationReport } from '../../domain/reconciliation/gap.ts';
import { EventSeal } from '../../domain/seals/seal.ts';
import { WalletVerification } from '../../domain/verifications/schema.ts';
import { TestWebhook, type DeliveryKind } from '../../domain/webhooks/schema.ts';
import examples from './example-bodies.json' with { type: 'json' };

/** A kind of webhook in the reference. */
export interface DocumentedWebhook {
  summary: string;
  description: string;
  schema: z.ZodType;
  example: unknown;
}

/** Every kind that is sent, by its X-Event-Type. */
export const WEBHOOKS: Record<DeliveryKind, DocumentedWebhook> = {
  transaction: {
    summary: 'A transaction was received or changed',
    description:
      'Sent for every message that arrives (INCOMING, with its verdict), for every change of the state of an OUTGOING ' +
      'transaction, for every change by the counterparty, and whenever `clearance.outcome` changes. The body is the ' +
      'transaction as `GET /transactions/{id}` showed it right after the change. `sealed: true` means that the destination ' +
      'wallet is not confirmed yet: the parties are null.',
    schema: Transaction,
    example: examples.transaction,
  },
  'wallet-verification': {
    summary: 'A wallet verification changed',
    description:
      'Sent for every change of a verification after its creation: a proof, a review, its expiry, a warning, its deletion ' +
      '(status DELETED). The body is the verification as `GET /wallet-verification/{id}` showed it right after the change.',
    schema: WalletVerification,
    example: examples['wallet-verification'],
  },
  claim: {
    summary: 'A claim was received or changed',
    description:
      'Sent for every claim that is made to you (INCOMING), for every change of one that you have made (OUTGOING) after its ' +
      'creation, and as a reminder to the asked side when three quarters of its time are over (`remindedAt`). The body is the ' +
      'claim as `GET /claims/{id}` showed it right after the change. A partner gets it of the claims to its network, without ' +
      '`beneficiary`.',
    schema: TransferClaim,
    example: examples.claim,
  },
  seal: {
    summary: 'A day was sealed',
    description:
      'Sent once for each UTC day, from an hour after its end, to tenants with the setting `sealWebhook`. The body is the seal as ' +
      '`GET /tenant/me/seals` shows it; keep it: it proves later what the event logs were that day.',
    schema: EventSeal,
    example: examples.seal,
  },
  reconciliation: {
    summary: 'Transactions lack something',
    description:
      'Sent at most once an hour, to tenants with the setting `reconciliationWebhook`, when transactions were found that have lacked a ' +
      'hash, an answer or a message for too long. Each is announced once; `GET /reconciliation` lists what is open now.',
    schema: ReconciliationReport,
    example: examples.reconciliation,
  },
  test: {
    summary: 'A test',
    description: 'Sent by `POST /tenant/me/webhook/test` alone.',
    schema: TestWebhook,
    example: examples.test,
  },
};
