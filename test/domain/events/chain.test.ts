import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson } from '../../../domain/canonical-json.ts';
import { COUNTERPARTY, SYSTEM, type Actor } from '../../../domain/events/actor.ts';
import { chainEvent, chainFault } from '../../../domain/events/chain.ts';
import type { Event, EventDraft } from '../../../domain/events/event.ts';

const NOW = new Date('2026-11-21T10:00:00.000Z');
const USER: Actor = { kind: 'USER', id: 'user-1' };
const KEY: Actor = { kind: 'API_KEY', id: 'key-1' };

/** A chain as the store makes it: each entry on the one before. */
function chainOf(drafts: readonly EventDraft[], subjectId = 'record-1'): Event[] {
  const events: Event[] = [];
  drafts.forEach((draft, index) => {
    events.push(
      chainEvent(draft, {
        subjectId,
        tenantId: 'tenant-1',
        version: index + 1,
        sequence: index + 1,
        previousHash: events.at(-1)?.hash ?? null,
        id: `event-${index + 1}`,
        createdAt: new Date(NOW.getTime() + index),
      }),
    );
  });
  return events;
}

/** What the record carries of its chain. */
const headOf = (events: readonly Event[]) => ({
  sequence: events.length,
  head: events.at(-1)?.hash ?? Buffer.alloc(0),
});

/** The entry with its own hash made anew, as somebody with access to the table would do. */
function rehashed(event: Event, changes: Partial<Event>): Event {
  const { hash: _, createdAt, previousHash, ...rest } = { ...event, ...changes };
  const canonical = canonicalJson({
    ...rest,
    createdAt: createdAt.toISOString(),
    previousHash: previousHash?.toString('hex') ?? null,
  });
  return { ...rest, createdAt, previousHash, hash: createHash('sha256').update(canonical).digest() };
}

const draft: fc.Arbitrary<EventDraft> = fc.record({
  type: fc.constantFrom('CREATED', 'DATA_UPDATED', 'STATUS_CHANGED'),
  message: fc.string(),
  actor: fc.constantFrom(USER, KEY, SYSTEM, COUNTERPARTY),
  previousStatus: fc.constantFrom(null, 'PENDING', 'DELIVERED'),
  newStatus: fc.constantFrom(null, 'DELIVERED', 'CONFIRMED'),
  data: fc.dictionary(
    fc.string(),
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
  ),
  basis: fc.constantFrom(
    null,
    { kind: 'EXPIRY' },
    { kind: 'API_KEY', id: 'key-1' },
    { kind: 'RULE', id: 'r', version: 3 },
  ),
  payloadHash: fc.option(fc.string({ minLength: 4 }), { nil: null }),
});
const chain = fc.array(draft, { minLength: 1, maxLength: 8 }).map((drafts) => chainOf(drafts));
/** A chain with a place in it. */
const placed = chain.chain((events) =>
  fc.record({ events: fc.constant(events), at: fc.nat({ max: events.length - 1 }) }),
);

/** Each field of an entry with another value in place of the one it has. */
const alterations: { [K in keyof Omit<Event, 'hash'>]: (event: Event) => Event[K] } = {
  subjectId: () => 'record-2',
  subjectKind: () => 'CLAIM' as 'TRANSACTION',
  sequence: (event) => event.sequence + 1,
  id: (event) => `${event.id}0`,
  tenantId: () => 'tenant-2',
  version: (event) => event.version + 1,
  type: (event) => `${event.type}X`,
  createdAt: (event) => new Date(event.createdAt.getTime() + 1),
  actor: (event) => (event.actor === 'SYSTEM' ? 'COUNTERPARTY' : 'SYSTEM'),
  userId: (event) => (event.userId === null ? 'user-2' : null),
  apiKeyId: (event) => (event.apiKeyId === null ? 'key-2' : null),
  previousStatus: (event) => (event.previousStatus === null ? 'FAILED' : null),
  newStatus: (event) => (event.newStatus === null ? 'FAILED' : null),
  message: (event) => `${event.message} `,
  data: (event) => ({ ...event.data, more: 1 }),
  basis: (event) => (event.basis === null ? { kind: 'EXPIRY' } : null),
  payloadHash: (event) => (event.payloadHash === null ? '00' : null),
  previousHash: (event) => createHash('sha256').update(event.id).digest(),
};
const names = Object.keys(alterations) as (keyof typeof alterations)[];

function altered(event: Event, name: keyof typeof alterations): Partial<Event> {
  return { [name]: alterations[name](event) };
}

test('a chain that nobody touched is sound', () => {
  fc.assert(
    fc.property(chain, (events) => {
      expect(chainFault(events, headOf(events))).toBeNull();
    }),
  );
});

test('a chain survives the way through the database: key order and undefined members do not count', () => {
  fc.assert(
    fc.property(chain, (events) => {
      const stored = events.map((event) => {
        const reversed = Object.fromEntries(Object.entries(event.data).reverse());
        const basis = event.basis && { version: undefined, ...event.basis };
        return { ...event, data: reversed, basis: basis as Event['basis'] };
      });
      expect(chainFault(stored, headOf(events))).toBeNull();
    }),
  );
});

test('an entry is hashed in the way that stored chains rely on', () => {
  fc.assert(
    fc.property(placed, ({ events, at }) => {
      expect(rehashed(events[at] as Event, {})).toEqual(events[at]);
    }),
  );
  const [first] = chainOf([
    { type: 'CREATED', message: 'Transaction accepted.', actor: KEY, newStatus: 'PENDING' },
  ]);
  expect(first?.hash.toString('hex')).toBe(
    '7e6379465d37f5cbbe13288c415df56baf32339c9ecb1e186dc56bb26e772e6a',
  );
});

describe('a change of an entry is found', () => {
  test.each(names)('in %s', (name) => {
    fc.assert(
      fc.property(placed, ({ events, at }) => {
        const changed = events.map((event, index) =>
          index === at ? { ...event, ...altered(event, name) } : event,
        );
        expect(chainFault(changed, headOf(events))).not.toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test.each(names)('in %s, though its hash was made anew', (name) => {
    fc.assert(
      fc.property(placed, ({ events, at }) => {
        const changed = events.map((event, index) =>
          index === at ? rehashed(event, altered(event, name)) : event,
        );
        expect(chainFault(changed, headOf(events))).not.toBeNull();
      }),
      { numRuns: 30 },
    );
  });

  test('in the hash alone', () => {
    fc.assert(
      fc.property(placed, ({ events, at }) => {
        const changed = events.map((event, index) =>
          index === at ? { ...event, hash: createHash('sha256').update(event.hash).digest() } : event,
        );
        expect(chainFault(changed, headOf(events))).not.toBeNull();
      }),
    );
  });

  test('though all hashes from it on were made anew, by the head that the record carries', () => {
    fc.assert(
      fc.property(placed, ({ events, at }) => {
        const forged: Event[] = [];
        events.forEach((event, index) => {
          const message = index === at ? `${event.message}!` : event.message;
          forged.push(rehashed(event, { message, previousHash: forged.at(-1)?.hash ?? null }));
        });
        expect(chainFault(forged, headOf(events))).toBe('the head does not fit the last entry');
      }),
    );
  });
});

test('an entry that was removed is found', () => {
  fc.assert(
    fc.property(placed, ({ events, at }) => {
      const cutsTail = at === events.length - 1;
      expect(chainFault(events.toSpliced(at, 1), headOf(events))).toBe(
        cutsTail ? `the last entries are missing: ${at} of ${events.length}` : `entry ${at + 1} is missing`,
      );
    }),
  );
});

test('entries that were cut off the end are found, all of them too', () => {
  fc.assert(
    fc.property(placed, ({ events, at }) => {
      const message = `the last entries are missing: ${at} of ${events.length}`;
      expect(chainFault(events.slice(0, at), headOf(events))).toBe(message);
    }),
  );
});

test('an entry that was inserted is found, though it is chained and numbered well', () => {
  fc.assert(
    fc.property(placed, draft, ({ events, at }, more) => {
      const before = events.slice(0, at + 1);
      const inserted = chainEvent(more, {
        ...(events[at] as Event),
        sequence: at + 2,
        previousHash: events[at]?.hash ?? null,
        id: 'inserted',
      });
      const moved = events.slice(at + 1).map((event) => ({ ...event, sequence: event.sequence + 1 }));
      for (const forged of [
        [...before, inserted, ...moved],
        [...before, inserted, ...events.slice(at + 1)],
      ]) {
        expect(chainFault(forged, headOf(events))).not.toBeNull();
      }
    }),
  );
});

test('entries that changed places are found', () => {
  fc.assert(
    fc.property(placed, ({ events, at }) => {
      fc.pre(at > 0);
      const [first, second] = [events[at - 1] as Event, events[at] as Event];
      const swapped = events.toSpliced(at - 1, 2, second, first);
      const renumbered = swapped.map((event, index) => ({ ...event, sequence: index + 1 }));
      expect(chainFault(swapped, headOf(events))).not.toBeNull();
      expect(chainFault(renumbered, headOf(events))).not.toBeNull();
    }),
  );
});

test('the chain of another record is found', () => {
  const own = chainOf([{ type: 'CREATED', message: 'm', actor: SYSTEM }]);
  const foreign = chainOf([{ type: 'CREATED', message: 'm', actor: SYSTEM }], 'record-2');
  expect(chainFault(foreign, headOf(own))).toBe('the head does not fit the last entry');
});

test('an entry says who made it', () => {
  const actors = chainOf(
    [USER, KEY, SYSTEM, COUNTERPARTY].map((actor) => ({ type: 'T', message: 'm', actor })),
  );
  expect(actors.map(({ actor, userId, apiKeyId }) => [actor, userId, apiKeyId])).toEqual([
    ['USER', 'user-1', null],
    ['API_KEY', null, 'key-1'],
    ['SYSTEM', null, null],
    ['COUNTERPARTY', null, null],
  ]);
});

describe('the canonical form', () => {
  test.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ a: undefined, b: { d: 1, c: undefined } }, '{"b":{"d":1}}'],
    [{ 10: 'ten', 9: 'nine', é: 1, z: 2 }, '{"10":"ten","9":"nine","z":2,"é":1}'],
    [[undefined], '[null]'],
    ['"\n\u2028', JSON.stringify('"\n\u2028')],
    [{}, '{}'],
    [[], '[]'],
    [null, 'null'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  test('is JSON of the same value, and the same for every order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(Object.fromEntries(Object.entries(value).reverse()))).toBe(text);
      }),
    );
  });

  test('is different for different values', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        const same =
          JSON.stringify(JSON.parse(canonicalJson(a))) === JSON.stringify(JSON.parse(canonicalJson(b)));
        expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
      }),
    );
  });
});
