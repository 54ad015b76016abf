import { z } from 'zod';
import { KEPT_SECONDS } from '../retention.ts';
import type { TransactionRecord } from '../transactions/record.ts';

/** Milliseconds in which a tenant answers; no answer means no. */
export const ANSWER_DEADLINE_MS = 2_000;
/** Hours for which an answer counts; after that the tenant is asked again. */
export const ANSWER_KEPT_HOURS = KEPT_SECONDS.addressAnswers / 3_600;
/** Minutes for which no answer counts as no. */
export const FAULT_KEPT_MINUTES = 10;
/** Tenants that are asked for one address. */
export const MAX_ASKED = 20;

/** The value of X-Event-Type of a question. */
export const QUESTION_KIND = 'address-question';

/** "Is this address and tag yours?": the body of the request. */
export const AddressQuestion = z
  .strictObject({
    id: z.uuid().describe('As in X-Event-Id.'),
    blockchain: z.string(),
    address: z.string().describe('As the message has it.'),
    tag: z.string().nullable().describe('Memo or destination tag; null if the message has none.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AddressQuestion' });
export type AddressQuestion = z.infer<typeof AddressQuestion>;

/** The account that a tenant is asked about: the destination of a message. */
export type AskedAddress = Pick<
  TransactionRecord,
  'asset' | 'blockchain' | 'blockchainKey' | 'destination' | 'destinationNormal' | 'destinationTag'
>;

const Answer = z.object({ isOwn: z.boolean() });

/** What was answered, and why it counts as no. */
export interface AddressAnswer {
  isOwn: boolean;
  fault: string | null;
}

/** Reads the first characters of an answer. Anything but `{"isOwn": true}` and the like means no. */
export function readAnswer(text: string | null): AddressAnswer {
  try {
    const { success, data } = Answer.safeParse(JSON.parse(text ?? ''));
    return success ? { isOwn: data.isOwn, fault: null } : { isOwn: false, fault: 'NOT_UNDERSTOOD' };
  } catch {
    return { isOwn: false, fault: 'NOT_UNDERSTOOD' };
  }
}
