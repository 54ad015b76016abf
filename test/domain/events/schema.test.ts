import { randomUUID } from 'node:crypto';
import { chainEvent } from '../../../domain/events/chain.ts';
import type { EventDraft } from '../../../domain/events/event.ts';
import { EventView, viewEvent } from '../../../domain/events/schema.ts';

const place = {
  subjectId: randomUUID(),
  tenantId: randomUUID(),
  version: 2,
  sequence: 3,
  previousHash: Buffer.alloc(32, 1),
  id: randomUUID(),
  createdAt: new Date('2026-11-21T10:00:00.000Z'),
};
const shown = (draft: Partial<EventDraft>, changes = {}) =>
  viewEvent(
    chainEvent(
      { type: 'STATUS_CHANGED', message: 'm', actor: { kind: 'SYSTEM' }, ...draft },
      { ...place, ...changes },
    ),
  );

test('an entry is shown with everything but whose it is', () => {
  const view = shown({
    actor: { kind: 'API_KEY', id: 'key-1' },
    previousStatus: 'PENDING',
    newStatus: 'CONFIRMED',
    data: { fields: ['originator.name'] },
    basis: { kind: 'RULE', id: 'rule-1', version: 4 },
    payloadHash: 'ab',
  });
  expect(EventView.parse(JSON.parse(JSON.stringify(view)))).toEqual(view);
  expect(view).toEqual({
    id: place.id,
    type: 'STATUS_CHANGED',
    createdAt: '2026-11-21T10:00:00.000Z',
    actor: 'API_KEY',
    userId: null,
    user: null,
    apiKeyId: 'key-1',
    previousStatus: 'PENDING',
    newStatus: 'CONFIRMED',
    message: 'm',
    data: { fields: ['originator.name'] },
    basis: { kind: 'RULE', id: 'rule-1', version: 4 },
    payloadHash: 'ab',
    version: 2,
    sequence: 3,
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    previousHash: '01'.repeat(32),
  });
});

test('what an entry does not have is null', () => {
  const view = shown({ basis: { kind: 'EXPIRY' } }, { previousHash: null });
  expect(EventView.parse(view)).toEqual(view);
  expect(view).toMatchObject({
    userId: null,
    apiKeyId: null,
    previousStatus: null,
    newStatus: null,
    payloadHash: null,
    previousHash: null,
    data: {},
    basis: { kind: 'EXPIRY', id: null, version: null },
  });
  expect(shown({}).basis).toBeNull();
});
