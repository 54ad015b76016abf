import type { Event } from '../../domain/events/event.ts';

/** What an entry says of a rule decision. */
type DecidedEvent = Pick<Event, 'type'> & { data: unknown };

/** Whether rules have decided: their version is named. */
export function isOfDecision(event: DecidedEvent): boolean {
  return event.type === 'SCREENED' && 'rulesVersion' in dataOf(event);
}

/** The data of an event; nothing where somebody changed the table, which is a fault of the log: it then can be null, or any JSON. */
function dataOf(event: DecidedEvent): object {
  return isReadable(event) ? event.data : {};
}

function isReadable(event: { data: unknown }): event is { data: object } {
  return typeof event.data === 'object' && event.data !== null;
}

/** Whether an event may have had a decision that it does not name: one of a version before, if rules have decided, or one that cannot be read. */
export function mayBeOfUnnamed(event: DecidedEvent): boolean {
  if (event.type !== 'SCREENED' || namedDecision(event) !== null) return false;
  return isOfDecision(event) || !isReadable(event);
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The decision that an event names; null for one of an earlier version. */
export function namedDecision(event: DecidedEvent): { id: string; hash: string } | null {
  const { ruleDecisionId: id, ruleDecisionHash: hash } = dataOf(event) as Record<string, unknown>;
  if (event.type !== 'SCREENED' || typeof id !== 'string' || typeof hash !== 'string') return null;
  return UUID.test(id) ? { id, hash } : null;
}
