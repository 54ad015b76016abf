import { COUNTERPARTY, type Actor } from '../../../../domain/events/actor.ts';
import { NO_CHANGE, type PairChange } from '../../../../domain/transactions/change.ts';
import { patchTransaction } from '../../../../domain/transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../../../../domain/transactions/record.ts';
import { PatchTransactionBody } from '../../../../domain/transactions/schema.ts';
import { allowedStatuses, STATUSES, type Status } from '../../../../domain/transactions/state.ts';
import { viewTransaction } from '../../../../domain/transactions/viewing/view-transaction.ts';
import { NOW, shown, shownChange, transactionRecord } from '../../../factories/transaction-record.ts';
import { refusalOf } from '../refusal-of.ts';
import { DIRECTIONS, type Direction } from '../../../../domain/direction.ts';
import { DAY_MS } from '../../../../domain/durations.ts';

type Body = Record<string, unknown>;

const LATER = new Date(NOW.getTime() + DAY_MS);
const IN_90_DAYS = new Date(LATER.getTime() + 90 * DAY_MS);
const actor: Actor = { kind: 'API_KEY', id: 'key-1' };
const LEI = '506700GE1G29325QX363';

function decide(own: TransactionRecord, body: Body, by: Actor = actor): PairChange {
  return patchTransaction(own, null, PatchTransactionBody.parse(body), { actor: by, now: LATER });
}

/** The record after the patch; fails where nothing changed. */
function patched(own: TransactionRecord, body: Body): TransactionRecord {
  const { own: change } = decide(own, body);
  if (!change) throw new Error('nothing changed');
  return change.after;
}

const eventsOf = (own: TransactionRecord, body: Body) => decide(own, body).own?.events ?? [];
const eventTypesOf = (own: TransactionRecord, body: Body) => eventsOf(own, body).map(({ type }) => type);

/** A body with one value at a path such as `originator.name`. */
function at(path: string, value: unknown): Body {
  return path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Body;
}

/** What the tenant is shown at a path. */
function shownAt(path: string, record: TransactionRecord): unknown {
  const shown: unknown = viewTransaction(record, 'entity');
  return path.split('.').reduce((value, name) => (value as Body | null)?.[name] ?? null, shown);
}

const received = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
  transactionRecord({
    direction: 'INCOMING',
    status: 'DELIVERED',
    messageSource: 'NATIVE',
    asset: 'USDC',
    blockchain: null,
    blockchainKey: null,
    ...overrides,
  });

const partyFields: [string, unknown][] = [
  ['type', 'LEGAL'],
  ['name', 'Ada Lovelace'],
  ['firstName', 'Ada'],
  ['lastName', 'Lovelace'],
  ['accountNumber', 'CH93 0076'],
  ['address', 'Old Street 1, London'],
  [
    'addressDetails',
    {
      street: 'Old Street',
      buildingNumber: '1',
      postCode: 'EC1',
      town: 'London',
      countrySubDivision: 'Greater London',
    },
  ],
  ['country', 'GB'],
  ['nationalIdentificatorType', 'CCPT'],
  ['nationalIdentificator', 'X1234567'],
  ['identifierCountry', 'CH'],
  ['registrationAuthority', 'RA000585'],
  ['lei', LEI],
  ['customerIdentification', 'customer-7'],
  ['dateOfBirth', '1815-12-10'],
  ['placeOfBirth', 'London'],
];
const fields: [string, unknown][] = [
  ['statusReasoning', 'names differ'],
  ['statusReasonCode', 'NAME_MISMATCH'],
  ['metadata', 'for the audit'],
  ['internalNote', 'ours alone'],
  ['additionalOriginators', [{ name: 'Charles Babbage' }]],
  ['blockchainInfo.blockchain', 'Polygon'],
  ['blockchainInfo.origin', '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'],
  ['blockchainInfo.transactionHash', 'ab'.repeat(32)],
  ['vaspInfo.beneficiaryVaspName', 'Harbour Custody'],
  ['vaspInfo.beneficiaryVaspEmail', 'desk@harbour.example'],
  ['vaspInfo.beneficiaryVaspExtraInfo', 'desk 4'],
  ['vaspInfo.originatorVaspName', 'Other Exchange'],
  ['vaspInfo.originatorVaspEmail', 'desk@other.example'],
  ...partyFields.map(([field, value]): [string, unknown] => [`originator.${field}`, value]),
  ...partyFields.map(([field, value]): [string, unknown] => [`beneficiary.${field}`, value]),
];

describe.each(fields)('%s', (path, value) => {
  const before = path === 'vaspInfo.beneficiaryVaspName' ? 'Alpine Exchange' : null;
  const empty = received();

  test('is set, and the log names it', () => {
    expect(shownAt(path, empty)).toEqual(path === 'additionalOriginators' ? [] : before);
    const after = patched(empty, at(path, value));
    expect({ shown: shownAt(path, after) }).toMatchObject({ shown: value });
    const [event] = eventsOf(empty, at(path, value));
    expect(event).toMatchObject(
      path.endsWith('transactionHash')
        ? { type: 'HASH_ADDED', actor }
        : { type: 'DATA_UPDATED', actor, data: { fields: [path] } },
    );
    expect(decide(after, at(path, value))).toBe(NO_CHANGE);
  });

  test('is cleared by null, and stays when it is not named', () => {
    const full = patched(empty, at(path, value));
    const cleared = patched(full, at(path, null));
    expect(shownAt(path, cleared)).toEqual(path === 'additionalOriginators' ? [] : null);
    expect(decide(cleared, at(path, null))).toBe(NO_CHANGE);
    expect(shownAt(path, patched(full, { metadata: 'other' }))).toEqual(
      path === 'metadata' ? 'other' : shownAt(path, full),
    );
  });
});

describe('a patched party', () => {
  const own = received({ personal: { originator: { name: 'Ada', country: 'GB' } } });

  test('keeps the fields that are not named', () => {
    const after = patched(own, { originator: { placeOfBirth: 'London', country: null } });
    expect(after.personal.originator).toEqual({ name: 'Ada', placeOfBirth: 'London' });
    expect(eventsOf(own, { originator: { placeOfBirth: 'London', country: null } })[0]?.data).toEqual({
      fields: ['originator.country', 'originator.placeOfBirth'],
    });
  });

  test('is cleared whole by null or with its last field', () => {
    expect(patched(own, { originator: null }).personal.originator).toBeNull();
    expect(patched(own, { originator: { name: null, country: null } }).personal.originator).toBeNull();
  });

  test('is judged with its stored fields, and only when it is patched', () => {
    const passport = received({ personal: { originator: { nationalIdentificator: 'X1' } } });
    const refusal = refusalOf(() => decide(passport, { originator: { nationalIdentificatorType: 'LEIX' } }));
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      details: { errors: [{ pointer: '/originator/nationalIdentificator', code: 'lei_invalid' }] },
    });
    const bornInFuture = received({ personal: { originator: { dateOfBirth: '2031-01-01' } } });
    expect(patched(bornInFuture, { status: 'DECLINED' }).status).toBe('DECLINED');
    expect(patched(bornInFuture, { beneficiary: { name: 'Grace' } }).personal.beneficiary).not.toBeNull();
  });

  test('shows all its faults and those of the others at once', () => {
    const future = { dateOfBirth: '2031-01-01' };
    const body = {
      originator: future,
      beneficiary: future,
      additionalOriginators: [{ name: 'fine' }, future],
    };
    expect(refusalOf(() => decide(own, body)).details.errors?.map(({ pointer }) => pointer)).toEqual([
      '/originator/dateOfBirth',
      '/beneficiary/dateOfBirth',
      '/additionalOriginators/1/dateOfBirth',
    ]);
  });
});

describe('a status', () => {
  const combinations = DIRECTIONS.flatMap((direction) =>
    STATUSES.flatMap((from) => STATUSES.map((to): [Direction, Status, Status] => [direction, from, to])),
  );

  test.each(combinations)(
    'of an %s record goes from %s to %s only when that is open',
    (direction, from, to) => {
      const own = transactionRecord({ direction, status: from });
      const allowed = allowedStatuses(own);
      if (from === to) {
        expect(decide(own, { status: to })).toBe(NO_CHANGE);
      } else if (allowed.includes(to)) {
        expect(patched(own, { status: to })).toMatchObject({ status: to, deadlineAt: null, wakeAt: null });
        expect(eventsOf(own, { status: to }).at(-1)).toMatchObject({ previousStatus: from, newStatus: to });
      } else {
        expect(refusalOf(() => decide(own, { status: to }))).toMatchObject({
          code: 'invalid_transition',
          details: { members: { allowed } },
        });
      }
    },
  );

  test('and its reasons are one entry of the log, which says who decided', () => {
    const body = { status: 'DECLINED', statusReasoning: 'names differ', statusReasonCode: 'NAME_MISMATCH' };
    const { own: change } = decide(received(), body);
    expect(shownChange(change)?.after).toMatchObject({
      status: 'DECLINED',
      subStatus: null,
      statusReasonCode: 'NAME_MISMATCH',
      updatedAt: LATER,
      personal: { statusReasoning: 'names differ' },
    });
    expect(change?.events).toEqual([
      {
        type: 'STATUS_CHANGED',
        message: 'The status is now DECLINED.',
        actor,
        previousStatus: 'DELIVERED',
        newStatus: 'DECLINED',
        basis: { kind: 'API_KEY', id: 'key-1' },
      },
    ]);
  });

  test('set by a user rests on the user', () => {
    const user: Actor = { kind: 'USER', id: 'user-1' };
    const event = decide(received(), { status: 'DECLINED' }, user).own?.events[0];
    expect(event).toMatchObject({ actor: user, basis: { kind: 'USER', id: 'user-1' } });
  });

  test('keeps reasons that were given before it', () => {
    const reasoned = patched(received(), { statusReasoning: 'late', statusReasonCode: 'COMPLIANCE' });
    expect(patched(reasoned, { status: 'DECLINED' })).toMatchObject({
      statusReasonCode: 'COMPLIANCE',
      personal: { statusReasoning: 'late' },
    });
  });

  test('CANCELLED is CANCELLED_BY_SENDER unless another reason is given, and ends the process', () => {
    const own = transactionRecord();
    expect(patched(own, { status: 'CANCELLED' }).statusReasonCode).toBe('CANCELLED_BY_SENDER');
    expect(patched(own, { status: 'CANCELLED', statusReasonCode: 'OTHER' }).statusReasonCode).toBe('OTHER');
    expect(decide(own, { status: 'CANCELLED' }).own).toMatchObject({ wakesWorkflow: true, notify: true });
  });

  test('CONFIRMED waits for the hash unless there is one', () => {
    const subStatusAfter = (body: Body) => shown(patched(received(), body)).subStatus;
    expect(subStatusAfter({ status: 'CONFIRMED' })).toBe('AWAITING_TRANSACTION_HASH');
    expect(subStatusAfter({ status: 'CONFIRMED', transactionHash: 'abc' })).toBeNull();
    expect(subStatusAfter({ status: 'DECLINED' })).toBeNull();
  });

  test('can come with data, and the log has an entry for each', () => {
    const body = { status: 'CONFIRMED', transactionHash: 'abc', beneficiary: { name: 'Grace' } };
    expect(eventTypesOf(received(), body)).toEqual(['DATA_UPDATED', 'HASH_ADDED', 'STATUS_CHANGED']);
  });
});

describe('after a final status', () => {
  const finals = (['CONFIRMED', 'DECLINED', 'CANCELLED'] as const).map((status) => received({ status }));

  const closed = fields.filter(
    ([path]) => !['metadata', 'internalNote', 'blockchainInfo.transactionHash'].includes(path),
  );

  test.each(closed)(
    '%s is closed: neither set nor cleared, and sent again it changes nothing',
    (path, value) => {
      for (const own of finals) {
        const full = { ...patched(received(), at(path, value)), status: own.status };
        for (const [record, body] of [
          [own, at(path, value)],
          [own, { ...at(path, value), status: own.status }],
          [full, at(path, null)],
        ] as const) {
          expect(refusalOf(() => decide(record, body)).code).toBe('conflict');
        }
        expect(decide(full, { ...at(path, value), status: own.status })).toBe(NO_CHANGE);
      }
    },
  );

  test.each([
    { metadata: 'more' },
    { internalNote: 'more' },
    { transactionHash: 'abc' },
    { blockchainInfo: { transactionHash: 'abc' } },
  ])('%j is open and keeps the status', (body) => {
    for (const own of finals) {
      expect(patched(own, body).status).toBe(own.status);
      expect(patched(own, { ...body, status: own.status }).status).toBe(own.status);
    }
  });

  test('nothing of a body that also holds something closed is taken', () => {
    const own = frozen(received({ status: 'CONFIRMED' }));
    expect(refusalOf(() => decide(own, { transactionHash: 'abc', originator: { name: 'x' } })).code).toBe(
      'conflict',
    );
  });
});

test('a failed record still takes data', () => {
  const own = transactionRecord({ status: 'FAILED', expiredAt: NOW, wakeAt: null, deadlineAt: null });
  const change = decide(own, { originator: { name: 'Ada' }, metadata: 'more' }).own;
  expect(shownChange(change)).toMatchObject({
    after: { status: 'FAILED', subStatus: 'EXPIRED', wakeAt: null },
    wakesWorkflow: false,
  });
});

describe('a refused patch', () => {
  test.each<[string, TransactionRecord, Body, string]>([
    [
      'an open move with a closed field',
      received(),
      { status: 'CONFIRMED', transactionHash: 'a', blockchainInfo: { transactionHash: 'a' } },
      'validation_failed',
    ],
    [
      'an open field with a closed move',
      received(),
      { metadata: 'new', status: 'CANCELLED' },
      'invalid_transition',
    ],
    [
      'an open field with a wrong address',
      received(),
      { metadata: 'new', blockchainInfo: { blockchain: 'Bitcoin' } },
      'validation_failed',
    ],
    [
      'an open move with a party at fault',
      received(),
      { status: 'CONFIRMED', beneficiary: { dateOfBirth: '2031-01-01' } },
      'validation_failed',
    ],
  ])('with %s changes nothing', (_, own, body, code) => {
    expect(refusalOf(() => decide(frozen(own), body)).code).toBe(code);
  });

  test('never repeats a value', () => {
    const own = received({ personal: { originator: { nationalIdentificator: 'canary-1' } } });
    const refusals = [
      refusalOf(() => decide(own, { originator: { nationalIdentificatorType: 'LEIX', name: 'canary-2' } })),
      refusalOf(() => decide(own, { blockchainInfo: { blockchain: 'Bitcoin', origin: 'canary-3' } })),
      refusalOf(() => decide(own, { status: 'CANCELLED', statusReasoning: 'canary-4' })),
    ];
    for (const { message, details } of refusals) {
      expect(JSON.stringify([message, details])).not.toMatch(/canary|0x5aa/i);
    }
  });
});

describe('the originator VASP', () => {
  test.each(['originatorVaspName', 'originatorVaspEmail'])('%s is refused on OUTGOING, null too', (field) => {
    for (const value of ['desk@other.example', null]) {
      expect(refusalOf(() => decide(transactionRecord(), at(`vaspInfo.${field}`, value)))).toMatchObject({
        code: 'validation_failed',
        details: { errors: [{ pointer: `/vaspInfo/${field}`, code: 'not_allowed' }] },
      });
    }
  });
});

describe('a sealed record', () => {
  const sealed = received({
    sealed: true,
    isDestinationConfirmed: false,
  });

  test.each([
    { originator: { name: 'Ada' } },
    { originator: null },
    { beneficiary: {} },
    { additionalOriginators: [] },
    { additionalOriginators: null },
  ])('does not take %j', (body) => {
    expect(refusalOf(() => decide(sealed, body)).code).toBe('conflict');
  });

  test('cannot be confirmed, only declined', () => {
    expect(refusalOf(() => decide(sealed, { status: 'CONFIRMED' }))).toMatchObject({
      code: 'invalid_transition',
      details: { members: { allowed: ['DECLINED'] } },
    });
    expect(patched(sealed, { status: 'DECLINED', statusReasonCode: 'UNKNOWN_ADDRESS' }).status).toBe(
      'DECLINED',
    );
  });

  test('takes what is no party data', () => {
    expect(patched(sealed, { metadata: 'seen', transactionHash: 'abc' }).sealed).toBe(true);
  });
});

describe('routing', () => {
  const unrouted = (overrides: Parameters<typeof transactionRecord>[0] = {}) =>
    transactionRecord({
      asset: 'USDC',
      blockchain: null,
      blockchainKey: null,
      routingFault: 'VASP_NOT_FOUND',
      wakeAt: null,
      deadlineAt: null,
      deliveryAttempts: 7,
      deliveryStartedAt: NOW,
      ...overrides,
    });
  const anew = {
    status: 'PENDING',
    subStatus: 'ROUTING',
    wakeAt: LATER,
    deadlineAt: IN_90_DAYS,
    deliveryAttempts: 0,
    deliveryStartedAt: null,
  };

  test.each([
    { vaspInfo: { beneficiaryVaspName: 'Harbour Custody' } },
    { vaspInfo: { beneficiaryVaspEmail: 'desk@harbour.example' } },
    { blockchainInfo: { blockchain: 'Polygon' } },
  ])('starts anew when %j is patched while PENDING or FAILED', (body) => {
    const failed = unrouted({ status: 'FAILED', expiredAt: NOW, statusReasonCode: 'EXPIRED' });
    for (const own of [unrouted(), unrouted({ routingFault: null }), failed]) {
      expect(shownChange(decide(own, body).own)).toMatchObject({
        after: anew,
        wakesWorkflow: true,
        notify: true,
      });
      expect(patched(own, body).statusReasonCode).toBeNull();
    }
    expect(eventTypesOf(unrouted(), body)).toEqual(['DATA_UPDATED']);
    expect(eventsOf(failed, body).at(-1)).toMatchObject({ previousStatus: 'FAILED', newStatus: 'PENDING' });
  });

  test.each([
    { originator: { name: 'Ada' } },
    { additionalOriginators: [{ name: 'Ada' }] },
    { blockchainInfo: { origin: '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359' } },
  ])('goes on once it is screened again when %j is patched', (body) => {
    expect(shownChange(decide(unrouted({ wakeAt: NOW }), body).own)).toMatchObject({
      after: { subStatus: 'VASP_NOT_FOUND', screeningState: 'DUE', screeningDueSince: LATER, wakeAt: LATER },
      wakesWorkflow: true,
      notify: false,
    });
  });

  test.each([
    { vaspInfo: { beneficiaryVaspExtraInfo: 'desk 4' } },
    { transactionHash: 'abc' },
    { metadata: 'more' },
  ])('goes on as it was when %j is patched', (body) => {
    const change = decide(unrouted({ wakeAt: NOW }), body).own;
    expect(shownChange(change)).toMatchObject({
      after: { subStatus: 'VASP_NOT_FOUND', wakeAt: NOW },
      wakesWorkflow: false,
      notify: false,
    });
  });

  test('goes on as it was when the same name is sent again', () => {
    const named = unrouted({ personal: { vaspInfo: { beneficiaryVaspName: 'Nobody' } } });
    expect(decide(named, { vaspInfo: { beneficiaryVaspName: 'Nobody' } })).toBe(NO_CHANGE);
  });

  test.each<[string, TransactionRecord]>([
    ['what was delivered', unrouted({ status: 'DELIVERED' })],
    ['a transfer to a self-hosted wallet', unrouted({ destinationType: 'NON_CUSTODIAL' })],
    ['what was received', received()],
  ])('never starts for %s', (_, own) => {
    const body = { vaspInfo: { beneficiaryVaspName: 'Harbour Custody' } };
    expect(shown(patched(own, body))).toMatchObject({
      status: own.status,
      subStatus: shown(own).subStatus,
      deadlineAt: own.deadlineAt,
    });
  });

  test('does not start for what is cancelled with the same patch', () => {
    const body = { status: 'CANCELLED', vaspInfo: { beneficiaryVaspName: 'Harbour Custody' } };
    expect(shown(patched(unrouted(), body))).toMatchObject({
      status: 'CANCELLED',
      subStatus: null,
      wakeAt: null,
    });
  });
});

describe('the chain', () => {
  const legacy = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
  const own = received({ asset: 'TOKEN', destination: legacy, destinationNormal: legacy, origin: null });

  test('decides the normal form of the destination', () => {
    expect(patched(own, { blockchainInfo: { blockchain: 'BCH' } })).toMatchObject({
      blockchain: 'BCH',
      blockchainKey: 'Bitcoin Cash',
      destination: legacy,
      destinationNormal: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    });
  });

  test('goes back to the main chain of the asset when it is cleared', () => {
    const polygon = transactionRecord({ blockchain: 'Polygon', blockchainKey: 'Polygon' });
    expect(patched(polygon, { blockchainInfo: { blockchain: null } })).toMatchObject({
      blockchain: 'Ethereum',
      blockchainKey: 'Ethereum',
    });
  });

  test('is refused where destination or origin cannot be on it, at the place that was patched', () => {
    const ethereum = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
    const pointerOf = (record: TransactionRecord, blockchainInfo: Body) =>
      refusalOf(() => decide(record, { blockchainInfo })).details.errors?.[0]?.pointer;
    const withOrigin = { ...own, origin: ethereum, originNormal: ethereum.toLowerCase() };
    expect(pointerOf(own, { blockchain: 'Ethereum' })).toBe('/blockchainInfo/blockchain');
    expect(pointerOf(withOrigin, { blockchain: 'Bitcoin' })).toBe('/blockchainInfo/blockchain');
    expect(pointerOf(own, { blockchain: 'Bitcoin', origin: ethereum })).toBe('/blockchainInfo/origin');
    expect(pointerOf(own, { origin: 'not an address' })).toBe('/blockchainInfo/origin');
  });

  test('is not asked again by a patch of something else', () => {
    const odd = received({ blockchain: 'Bitcoin', blockchainKey: 'Bitcoin', destinationNormal: 'kept' });
    expect(patched(odd, { status: 'DECLINED' }).destinationNormal).toBe('kept');
  });
});

describe('the hash', () => {
  const first = 'ab'.repeat(32);
  const second = 'cd'.repeat(32);

  test('the log warns of one that is none of the blockchain, and of a misspelt blockchain: a PATCH has no answer that could', () => {
    const own = received({ blockchain: 'Ethereum', blockchainKey: 'Ethereum' });
    const data = { warning: 'UNUSUAL_HASH' };
    expect(eventsOf(own, { transactionHash: 'abc' })).toMatchObject([{ type: 'HASH_ADDED', data }]);
    expect(eventsOf(own, { transactionHash: first })[0]?.data).toBeUndefined();
    const warned = eventsOf(own, { blockchainInfo: { blockchain: 'Etherium' } });
    expect(warned).toMatchObject([{ type: 'DATA_UPDATED', data: { warning: 'UNKNOWN_BLOCKCHAIN' } }]);
    expect(eventsOf(own, { blockchainInfo: { blockchain: 'Moonbeam' } })[0]?.data).not.toHaveProperty(
      'warning',
    );
  });

  test.each([
    [null, first, 'HASH_ADDED'],
    [first, second, 'HASH_REPLACED'],
    [first, null, 'HASH_REMOVED'],
  ])('from %j to %j is %s', (transactionHash, next, type) => {
    const own = received({ transactionHash, hashNormal: transactionHash });
    for (const body of [{ transactionHash: next }, { blockchainInfo: { transactionHash: next } }]) {
      expect(eventTypesOf(own, body)).toEqual([type]);
      expect(patched(own, body)).toMatchObject({ transactionHash: next, hashNormal: next });
    }
  });

  test('is told by its normal form whatever its spelling', () => {
    expect(patched(received(), { transactionHash: `0x${first.toUpperCase()}` })).toMatchObject({
      transactionHash: `0x${first.toUpperCase()}`,
      hashNormal: first,
    });
  });

  test('given in both places is refused, even when both are the same', () => {
    for (const hash of [first, null]) {
      const body = { transactionHash: hash, blockchainInfo: { transactionHash: hash } };
      expect(refusalOf(() => decide(received(), body))).toMatchObject({
        code: 'validation_failed',
        details: { errors: [{ pointer: '/transactionHash', code: 'given_twice' }] },
      });
    }
  });

  test('ends the wait of what was confirmed without it, and its removal starts it again', () => {
    const confirmed = transactionRecord({ status: 'CONFIRMED' });
    expect(shown(confirmed).subStatus).toBe('AWAITING_TRANSACTION_HASH');
    const complete = patched(confirmed, { transactionHash: first });
    expect(shown(complete)).toMatchObject({ status: 'CONFIRMED', subStatus: null });
    const subStatusAfter = (own: TransactionRecord, body: Body) => shown(patched(own, body)).subStatus;
    expect(subStatusAfter(complete, { transactionHash: null })).toBe('AWAITING_TRANSACTION_HASH');
    expect(subStatusAfter(complete, { metadata: 'more' })).toBeNull();
    expect(subStatusAfter(confirmed, { metadata: 'more' })).toBe('AWAITING_TRANSACTION_HASH');
  });
});

describe('a patch that changes nothing', () => {
  const everything = fields.reduce<Body>((body, [path, value]) => {
    const [section = '', field] = path.split('.');
    return { ...body, [section]: field ? { ...(body[section] as Body), [field]: value } : value };
  }, {});
  const full = patched(received(), everything);

  test.each<[string, Body]>([
    ['an empty body', {}],
    ['empty sections', { blockchainInfo: {}, vaspInfo: {}, originator: {}, beneficiary: {} }],
    ['the status it has', { status: 'DELIVERED' }],
    ['the hash it has', { transactionHash: 'ab'.repeat(32) }],
    ['a country by its name', { originator: { country: 'United Kingdom' } }],
    ['an identifier type by its other name', { originator: { nationalIdentificatorType: 'PASSPORT' } }],
    [
      'address details in another order',
      {
        originator: {
          addressDetails: {
            countrySubDivision: 'Greater London',
            town: 'London',
            postCode: 'EC1',
            buildingNumber: '1',
            street: 'Old Street',
          },
        },
      },
    ],
    ['every value it has', everything],
  ])('is one with %s', (_, body) => {
    expect(decide(full, body)).toBe(NO_CHANGE);
  });
});

test('a change of what was received starts no workflow; its webhook is due only where the outcome changes', () => {
  for (const body of [{ status: 'CONFIRMED' }, { status: 'DECLINED' }, { metadata: 'more' }]) {
    expect(decide(received(), body).own).toMatchObject({ notify: false, wakesWorkflow: false });
  }
});

test.each(DIRECTIONS)('a hash added to a final %s record starts no new run of its workflow', (direction) => {
  const own = transactionRecord({ direction, status: 'CONFIRMED', screeningState: 'CLEARED', wakeAt: null });
  const transactionHash = `0x${'ab'.repeat(32)}`;
  expect(decide(own, { transactionHash }).own).toMatchObject({ wakesWorkflow: false });
});

test('without a counterpart nothing is forwarded', () => {
  expect(decide(transactionRecord(), { originator: { name: 'Ada' } })).toMatchObject({
    counterpart: null,
    forwarded: null,
  });
});

test('only what crosses to the counterparty counts as forwarded data', () => {
  const own = transactionRecord({ status: 'DELIVERED' });
  const forwards = (direction: Direction, body: Body) =>
    patchTransaction({ ...own, direction }, received(), PatchTransactionBody.parse(body), {
      actor,
      now: LATER,
    }).forwarded !== null;
  expect(forwards('OUTGOING', { originator: { name: 'Ada' } })).toBe(true);
  expect(forwards('OUTGOING', { transactionHash: 'abc' })).toBe(true);
  expect(forwards('OUTGOING', { metadata: 'more', internalNote: 'more' })).toBe(false);
  expect(forwards('OUTGOING', { status: 'CANCELLED', statusReasoning: 'wrong amount' })).toBe(false);
  expect(forwards('INCOMING', { originator: { name: 'Ada' } })).toBe(false);
});

test('who decides is never the counterparty itself', () => {
  expect(
    eventsOf(received(), { status: 'DECLINED', metadata: 'x' }).map((event) => event.actor),
  ).not.toContain(COUNTERPARTY);
});

/** A record whose every change throws. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  for (const member of Object.values(value)) frozen(member);
  return Object.freeze(value);
}
