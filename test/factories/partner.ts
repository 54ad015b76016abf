import { randomBytes } from 'node:crypto';
import type { Partner, PartnerKey } from '../../domain/partners/schema.ts';
import type { Json, TestApi } from '../api-client.ts';

/** A partner made through the API, with the answers that showed its secrets. */
export interface TestPartner {
  partner: Partner;
  apiKey: PartnerKey;
}

/** The name is random unless given; `overrides` are fields of the operator's create body. */
export async function createPartner(api: TestApi, overrides: Json = {}): Promise<TestPartner> {
  const body = { name: `Network ${randomBytes(6).toString('hex')}`, ...overrides };
  const { operatorKey } = api;
  const answer = await api.request<TestPartner>('POST', '/operator/partners', { operatorKey, body });
  if (answer.status !== 201) throw new Error(`the partner was not made: ${JSON.stringify(answer.body)}`);
  return answer.body;
}
