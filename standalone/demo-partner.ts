import { join } from 'node:path';
import { ConflictProblem, Unauthenticated, Waybill } from '@waybill/client';
import { z } from 'zod';
import { readPrivate, writePrivate } from './home.ts';

/** A partner of the network for trials. */
export interface DemoPartner {
  name: string;
  apiKey: string;
}

const NEW_PARTNER = {
  name: 'Meridian Network',
  legalName: 'Meridian Network Ltd',
  country: 'SG',
  email: 'travelrule@meridian.example',
};
/** A VASP that is no tenant here: messages to it go to the partner. */
export const PARTNER_VASP = 'Straits Digital';
const NEW_VASP = {
  name: PARTNER_VASP,
  legalName: 'Straits Digital Pte. Ltd.',
  type: 'exchange' as const,
  countries: ['SG'],
  networks: [`PARTNER:${NEW_PARTNER.name}`],
};
const KeptPartner = z.object({ apiKey: z.string() });

interface DemoPartnerOptions {
  apiUrl: string;
  operatorKey: string;
  home: string;
}

/** Creates the demo partner once, with a VASP on its network; its key is stored in the home folder for the next start. */
export async function ensureDemoPartner({
  apiUrl,
  operatorKey,
  home,
}: DemoPartnerOptions): Promise<DemoPartner> {
  const file = join(home, 'demo-partner.json');
  const kept = readPrivate(file, KeptPartner)?.apiKey;
  const operator = new Waybill({ baseUrl: apiUrl, operatorKey });
  const isUsable = kept !== undefined && (await isUsableKey(apiUrl, kept));
  const apiKey = isUsable ? kept : await makePartner(operator);
  writePrivate(file, { apiKey });
  await ensureVasp(operator);
  return { name: NEW_PARTNER.name, apiKey };
}

/** Whether the stored key works; it may belong to another database, or be revoked. */
async function isUsableKey(apiUrl: string, partnerKey: string): Promise<boolean> {
  try {
    await new Waybill({ baseUrl: apiUrl, partnerKey }).partner.get();
    return true;
  } catch (error) {
    if (error instanceof Unauthenticated) return false;
    throw error;
  }
}

/** Creates the partner, or another key of it where the database has it from another home. Returns the key. */
async function makePartner(operator: Waybill): Promise<string> {
  try {
    const made = await operator.request('POST', '/operator/partners', { body: NEW_PARTNER });
    return made.apiKey.apiKey;
  } catch (error) {
    if (!(error instanceof ConflictProblem)) throw error;
    const { name } = NEW_PARTNER;
    const partners = await operator.request('GET', '/operator/partners', { query: { q: name } });
    const partner = partners.find((each) => each.name === name);
    if (!partner) throw error;
    const { id } = partner;
    return (await operator.request('POST', '/operator/partners/{id}/api-keys', { path: { id }, body: {} }))
      .apiKey;
  }
}

/** Puts the VASP into the directory, unless one of its name is there, whatever an operator has made of it. */
async function ensureVasp(operator: Waybill): Promise<void> {
  const found = await operator.request('GET', '/operator/entities', { query: { q: PARTNER_VASP } });
  if (found.some(({ name }) => name === PARTNER_VASP)) return;
  await operator.request('POST', '/operator/entities', { body: NEW_VASP });
}
