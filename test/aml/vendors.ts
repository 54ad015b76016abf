import { createHash } from 'node:crypto';
import type { Json } from '../api-client.ts';
import { fakeVendor, type SeenRequest, type VendorReply } from '../fakes/aml-vendor.ts';

export const AMLBOT_KEY = { accessId: 'acc-17', accessKey: 'amlbot-secret-key' };
export const CRYSTAL_KEY = 'crystal-secret-key';
export const SCORECHAIN_KEY = 'scorechain-secret-key';

/** AMLBot as it documents itself: forms with a token over what is asked, refusals as sentences with status 200. */
export async function fakeAmlbot(riskscore = 0.12) {
  let lastUid = 0;
  const reply = ({ method, path, form }: SeenRequest): VendorReply => {
    const isRecheck = path === '/recheck';
    const asked = isRecheck ? form['uid'] : form['hash'];
    const token = createHash('md5')
      .update(`${asked}:${AMLBOT_KEY.accessKey}:${AMLBOT_KEY.accessId}`)
      .digest('hex');
    if (method !== 'POST' || form['token'] !== token)
      return { json: { result: false, description: 'Wrong access token' } };
    const uid = isRecheck ? asked : `UID${(lastUid += 1)}`;
    const repeated = isRecheck ? {} : { address: asked, asset: form['asset'] };
    return { json: amlbotAnswer({ uid, riskscore, ...(!form['address'] && repeated) }) };
  };
  return await fakeVendor(reply);
}

export const amlbotAnswer = (data: Json) => ({
  result: true,
  balance: 99,
  data: {
    status: 'success',
    signals: { exchange_licensed: 0.8, mixer: 0.15, brand_new_word: 0.05 },
    counterparty: { id: 4711, name: 'Some Exchange', category: 'exchange_licensed' },
    blackListsConnections: false,
    pdfReport: 'https://reports.amlbot.example/UID.pdf',
    fiat_code_effective: 'usd',
    updated_at: 1_700_000_000,
    ...data,
  },
});

/** Crystal: a header, forms, and everything in an envelope of data and meta. */
export async function fakeCrystal(riskscore = 0.9) {
  const reply = ({ headers }: SeenRequest): VendorReply =>
    headers['x-auth-apikey'] === CRYSTAL_KEY
      ? { json: crystalAnswer({ riskscore }) }
      : { status: 401, json: { meta: { error_code: 401, error_message: 'Unauthorized' } } };
  return await fakeVendor(reply);
}

export const crystalAnswer = (data: Json) => ({
  data: {
    id: 31,
    signals: { received: { mixer: 0.5, exchange_licensed: 0.5 }, sent: { dark_market: 1 } },
    counterparty: { name: 'Blender', category: 'mixer' },
    alert_grade: 'high',
    updated_at: 1_700_000_000,
    fingerprint: 'f00',
    ...data,
  },
  meta: { error_code: 0, error_message: '' },
});

/** Scorechain: JSON in and out; 100 is safe, and what it does not know is 404. */
export async function fakeScorechain(lowestScore = 5) {
  const reply = ({ headers }: SeenRequest): VendorReply =>
    headers['x-api-key'] === SCORECHAIN_KEY
      ? { json: scorechainAnswer({ lowestScore }) }
      : { status: 403, json: { error: 'FORBIDDEN' } };
  return await fakeVendor(reply);
}

export const scorechainAnswer = (fields: Json) => ({
  analysis: {
    assigned: {
      hasResult: true,
      result: {
        score: 5,
        severity: 'CRITICAL_RISK',
        details: { name: 'Dark Bazaar', type: 'Darknet', country: 'XX' },
      },
    },
    incoming: {
      hasResult: true,
      result: {
        score: 30,
        severity: 'HIGH_RISK',
        details: [
          { name: 'Blender', type: 'Mixing Service', percentage: 40, amount: 1.5, amountUsd: 60_000 },
        ],
      },
    },
    outgoing: { hasResult: false },
  },
  ...fields,
});
