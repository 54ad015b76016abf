import { amlbot } from '../../aml/amlbot.ts';
import { crystal } from '../../aml/crystal.ts';
import { httpProvider, type AmlVendor } from '../../aml/http-provider.ts';
import { scorechain } from '../../aml/scorechain.ts';
import type { CheckRecord } from '../../domain/aml/check.ts';
import { findingOf, type AmlFinding, type AmlSubject } from '../../domain/aml/finding.ts';
import type { Json } from '../api-client.ts';
import { amlFinding } from '../../transaction-screening/wallet-findings.ts';
import {
  AMLBOT_KEY,
  amlbotAnswer,
  CRYSTAL_KEY,
  crystalAnswer,
  SCORECHAIN_KEY,
  scorechainAnswer,
} from './vendors.ts';

const ADAPTERS = { amlbot, crystal, scorechain } satisfies Record<string, AmlVendor>;
const KEYS = { amlbot: AMLBOT_KEY, crystal: CRYSTAL_KEY, scorechain: SCORECHAIN_KEY };
type VendorCode = keyof typeof ADAPTERS;

const CHECKSUMMED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = `0x${'7'.repeat(40)}`;
const HASH = `0x${'0a'.repeat(32)}`;
const WALLET: AmlSubject = {
  kind: 'wallet',
  blockchain: 'Ethereum',
  value: CHECKSUMMED.toLowerCase(),
  direction: null,
  contextAddress: null,
};
const TRANSACTION: AmlSubject = {
  ...WALLET,
  kind: 'transaction',
  value: HASH,
  direction: 'deposit',
  contextAddress: WALLET.value,
};

function providerOf(code: VendorCode, json: unknown, status = 200) {
  const answer = { status, text: JSON.stringify(json), retryAfterMs: null };
  return httpProvider(ADAPTERS[code], 'http://vendor', { send: async () => await Promise.resolve(answer) });
}

async function analyse(code: VendorCode, json: unknown, { subject = WALLET, status = 200 } = {}) {
  return await providerOf(code, json, status).analyse(subject, { tenantId: 't', key: KEYS[code] });
}

const safe = {
  amlbot: (data: Json) => amlbotAnswer({ riskscore: 0, ...data }),
  crystal: (data: Json) => crystalAnswer({ riskscore: 0, ...data }),
};

describe('only a check that the vendor has finished has a score', () => {
  test.each(['failed', 'error', 'processing failed', 'not ready', 'cancelled', 'unknown'])(
    'the status %s is a broken answer, which was paid for',
    async (status) => {
      for (const code of ['amlbot', 'crystal'] as const) {
        await expect(analyse(code, safe[code]({ status }))).rejects.toMatchObject({
          code: 'BAD_ANSWER',
          isPaid: true,
        });
      }
    },
  );

  test.each(['pending', 'in process', 'in_progress', 'Processing', 'queued'])(
    'with the status %s it is read again later, whatever score comes along',
    async (status) => {
      for (const code of ['amlbot', 'crystal'] as const) {
        const { finding } = await analyse(code, safe[code]({ status }));
        expect(finding).toMatchObject({ status: 'PENDING', riskScore: null });
      }
    },
  );

  test.each(['success', 'ready', 'Completed', '', null])(
    'with the status %s it is finished',
    async (status) => {
      for (const code of ['amlbot', 'crystal'] as const) {
        expect((await analyse(code, safe[code]({ status }))).finding).toMatchObject({ riskScore: 0 });
      }
    },
  );

  test('a broken answer to a free second reading costs nothing', async () => {
    const broken = providerOf('amlbot', safe.amlbot({ status: 'failed' }));
    await expect(broken.reread('U1', WALLET, { tenantId: 't', key: AMLBOT_KEY })).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      isPaid: false,
    });
  });
});

describe('a refusal is no finding, unless it says that the vendor has no data', () => {
  test.each([
    ['Access key not found', 'KEY_REFUSED'],
    ['accessId not found', 'KEY_REFUSED'],
    ['User not found', 'KEY_REFUSED'],
    ['Wrong access token', 'KEY_REFUSED'],
    ['Credentials for this address not found', 'KEY_REFUSED'],
    ['Api_key is not authorised for this address', 'KEY_REFUSED'],
    ['User has no checks left', 'NO_CREDITS'],
    ['Insufficient balance', 'NO_CREDITS'],
    ['Unsupported locale', 'REQUEST_REFUSED'],
    ['Method not found', 'REQUEST_REFUSED'],
    ['Tariff not found', 'REQUEST_REFUSED'],
    ['', 'REQUEST_REFUSED'],
  ])('"%s" is %s', async (sentence, fault) => {
    const amlbotSays = { result: false, description: sentence };
    const crystalSays = { meta: { error_code: 5, error_message: sentence } };
    await expect(analyse('amlbot', amlbotSays)).rejects.toMatchObject({ code: fault });
    await expect(analyse('crystal', crystalSays)).rejects.toMatchObject({ code: fault });
  });

  test.each([
    ['Address not found', 'NOT_FOUND'],
    ['The transaction was not found', 'NOT_FOUND'],
    ['No data for this wallet', 'NOT_FOUND'],
    ['Unsupported asset', 'CHAIN_NOT_SUPPORTED'],
    ['This token is not supported', 'CHAIN_NOT_SUPPORTED'],
  ])('"%s" is %s, without a score', async (sentence, reason) => {
    const said = { status: 'UNSUPPORTED', reason, riskScore: null };
    const amlbotSays = { result: false, description: sentence };
    const crystalSays = { meta: { error_code: 5, error_message: sentence } };
    expect((await analyse('amlbot', amlbotSays)).finding).toMatchObject(said);
    expect((await analyse('crystal', crystalSays)).finding).toMatchObject(said);
  });

  test.each<[VendorCode, number, unknown, string]>([
    ['crystal', 200, { meta: { error_code: 401, error_message: 'Api key not found' } }, 'KEY_REFUSED'],
    ['crystal', 404, { meta: { error_code: 404, error_message: 'Api key not found' } }, 'KEY_REFUSED'],
    ['crystal', 200, { meta: { error_code: 402, error_message: 'Address not found' } }, 'NO_CREDITS'],
    ['crystal', 404, { meta: { error_code: 0 } }, 'BAD_ANSWER'],
    ['scorechain', 404, { error: 'NOT_FOUND_USER' }, 'REQUEST_REFUSED'],
    ['scorechain', 422, { error: 'NOT_FOUND_API_KEY' }, 'REQUEST_REFUSED'],
  ])('%s, status %s, %j: %s', async (code, status, json, fault) => {
    await expect(analyse(code, json, { status })).rejects.toMatchObject({ code: fault });
  });
});

describe('an answer about another subject is not used', () => {
  const about = {
    amlbot: ({ chain, ...more }: Json) =>
      safe.amlbot({ ...more, ...(chain !== undefined && { asset: chain }) }),
    crystal: ({ chain, ...more }: Json) =>
      safe.crystal({ ...more, ...(chain !== undefined && { currency: chain }) }),
  };

  test.each<[what: string, AmlSubject, Json]>([
    ['address', WALLET, { address: OTHER }],
    ['blockchain', WALLET, { address: WALLET.value, chain: 'TRX' }],
    ['hash', TRANSACTION, { tx: `0x${'0b'.repeat(32)}` }],
    ['address of a transaction', TRANSACTION, { tx: HASH, address: OTHER }],
    ['direction', TRANSACTION, { tx: HASH, direction: 'withdrawal' }],
  ])('another %s', async (_what, subject, repeated) => {
    for (const code of ['amlbot', 'crystal'] as const) {
      const asked = analyse(code, about[code](repeated), { subject });
      await expect(asked).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    }
  });

  test.each([WALLET, TRANSACTION])('scorechain: another object than this %j', async (subject) => {
    const answer = scorechainAnswer({
      lowestScore: 100,
      objectId: subject === WALLET ? OTHER : OTHER + '00',
    });
    await expect(analyse('scorechain', answer, { subject })).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    const same = scorechainAnswer({ lowestScore: 5, objectId: subject.value, blockchain: 'ethereum' });
    expect((await analyse('scorechain', same, { subject })).finding.riskScore).toBe(95);
  });

  test.each<[what: string, AmlSubject, Json]>([
    ['with a checksum, the chain in lower case', WALLET, { address: CHECKSUMMED, chain: 'eth' }],
    ['with a wrong checksum', WALLET, { address: CHECKSUMMED.replace('aA', 'Aa') }],
    ['without 0x', WALLET, { address: WALLET.value.slice(2) }],
    ['not at all', WALLET, { address: null, tx: null, chain: '' }],
    ['a hash without 0x, in capitals', TRANSACTION, { tx: HASH.slice(2).toUpperCase(), chain: 'USDT' }],
    ['a side that was not asked for', { ...TRANSACTION, direction: null }, { direction: 'withdrawal' }],
    [
      'bech32 in capitals',
      { ...WALLET, blockchain: 'Bitcoin', value: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' },
      { address: 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', chain: 'BTC' },
    ],
  ])('the same subject in another spelling is: %s', async (_what, subject, repeated) => {
    for (const code of ['amlbot', 'crystal'] as const) {
      const { finding } = await analyse(code, about[code](repeated), { subject });
      expect(finding).toMatchObject({ status: 'COMPLETE', riskScore: 0 });
    }
  });
});

describe('scorechain: the lowest of all scores counts, and 100 without a result is no score', () => {
  const side = (score: number | null, type?: string, hasResult = true) => ({
    hasResult,
    result: { score, ...(type !== undefined && { details: { name: 'X', type } }) },
  });
  const none = { hasResult: false };

  test.each<[what: string, lowestScore: number | null, analysis: Json, riskScore: number | null]>([
    ['a sanctioned owner beside 100', 100, { assigned: side(1, 'Sanction') }, 99],
    ['a worse side than the lowest score', 60, { assigned: side(80), outgoing: side(20) }, 80],
    ['a score of a side alone', null, { incoming: side(20) }, 80],
    ['100 with a safe owner', 100, { assigned: side(100, 'Exchange') }, 0],
    ['100 with an owner without a score', 100, { assigned: side(null, 'Exchange') }, 0],
    ['100 without a result', 100, { assigned: none, incoming: none, outgoing: none }, null],
    ['100 without sides', 100, {}, null],
    ['100 with an empty result', 100, { assigned: { hasResult: true, result: {} } }, null],
    ['a bad score without sides', 5, {}, 95],
    ['a side that says that it has no result', 70, { incoming: side(0, 'Darknet', false) }, 30],
    ['null without sides', null, {}, null],
  ])('%s', async (_what, lowestScore, analysis, riskScore) => {
    const { finding } = await analyse('scorechain', { lowestScore, analysis });
    expect(finding).toMatchObject({ riskScore, reason: riskScore === null ? 'NO_SCORE' : null });
  });

  test('of more parties than are kept the riskiest are, on whichever side', async () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ name: `X ${at}`, type: 'Exchange' }));
    const sideOf = (details: object[]) => ({ hasResult: true, result: { score: 50, details } });
    const analysis = { incoming: sideOf(many), outgoing: sideOf([{ name: 'Y', type: 'Sanction' }]) };
    const { finding } = await analyse('scorechain', { lowestScore: 50, analysis });
    expect(categoriesOf(finding).categories).toContain('sanction_list');
  });
});

test('what a rule sees of a wallet has the type of its owner, of the counterparty, and of what it had to do with', async () => {
  const amlbotSays = safe.amlbot({ signals: {}, counterparty: { name: 'X', category: 'sanctions' } });
  expect(categoriesOf((await analyse('amlbot', amlbotSays)).finding)).toMatchObject({
    sanctioned: true,
    categories: ['sanction_list'],
  });
  const { finding } = await analyse('crystal', crystalAnswer({ riskscore: 0.9 }));
  expect(categoriesOf(finding).categories).toEqual(['mixing_service', 'exchange', 'darkweb']);
  expect(categoriesOf(findingOf({ counterparty: { id: null, name: 'X', type: null } })).categories).toEqual(
    [],
  );
});

function categoriesOf(finding: AmlFinding) {
  const now = new Date();
  const check: CheckRecord = {
    id: 'c1',
    provider: 'amlbot',
    subject: WALLET,
    finding,
    providerRef: null,
    credits: 1,
    repeated: false,
    recheckOf: null,
    createdAt: now,
    fetchedAt: now,
    expiresAt: now,
  };
  return amlFinding(check, 'destination');
}
