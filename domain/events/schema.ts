import { z } from 'zod';
import type { Event } from './event.ts';
import { shown } from '../schema-fields.ts';

/** An event in responses. */
export const EventView = z
  .strictObject({
    id: z.uuid(),
    type: z.string(),
    createdAt: z.iso.datetime(),
    actor: z.enum(['USER', 'API_KEY', 'SYSTEM', 'COUNTERPARTY']),
    userId: shown,
    user: z.strictObject({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
    apiKeyId: shown,
    previousStatus: shown,
    newStatus: shown,
    message: z.string(),
    data: z.record(z.string(), z.unknown()),
    basis: z.strictObject({ kind: z.string(), id: shown, version: z.int().nullable() }).nullable(),
    payloadHash: shown,
    version: z.int(),
    sequence: z.int(),
    hash: z.string(),
    previousHash: shown,
  })
  .meta({ id: 'Event' });
export type EventView = z.infer<typeof EventView>;

/** Who the users of a log are, by their ids. */
type UsersOfLog = ReadonlyMap<string, { id: string; name: string | null; email: string }>;

export function userIdsIn(events: readonly Event[]): string[] {
  return [...new Set(events.flatMap(({ userId }) => userId ?? []))];
}

const NOBODY: UsersOfLog = new Map();

/** An event with the user who acted, where they are among `users`; whoever has no name is shown by their e-mail address. */
export function viewEvent(event: Event, users: UsersOfLog = NOBODY): EventView {
  const { basis } = event;
  const user = event.userId === null ? undefined : users.get(event.userId);
  return {
    id: event.id,
    type: event.type,
    createdAt: event.createdAt.toISOString(),
    actor: event.actor,
    userId: event.userId,
    user: user ? { id: user.id, name: user.name ?? user.email, email: user.email } : null,
    apiKeyId: event.apiKeyId,
    previousStatus: event.previousStatus,
    newStatus: event.newStatus,
    message: event.message,
    data: event.data,
    basis: basis && { kind: basis.kind, id: basis.id ?? null, version: basis.version ?? null },
    payloadHash: event.payloadHash,
    version: event.version,
    sequence: event.sequence,
    hash: event.hash.toString('hex'),
    previousHash: event.previousHash?.toString('hex') ?? null,
  };
}
