import { z } from 'zod';
import { ENTITY_TYPES } from '../../entity-types.ts';
import { SanctionsScreening, type SanctionsSearchBody } from '../../sanctions-screening/schema.ts';
import type { Party } from '../../parties/party.ts';
import type { TransactionRecord } from '../record.ts';
import { HOLDS } from '../state.ts';

const text = z.string().nullable();
const SEVERITIES = ['low', 'medium', 'high'] as const;

/** A name or an address of a transfer that is compared with the lists. */
export type ScreenedSubject =
  | { role: string; kind: 'NAME'; body: SanctionsSearchBody }
  | { role: string; kind: 'ADDRESS'; address: string };

const OtherWallet = z.strictObject({
  role: z.enum(['origin', 'destination']),
  blockchain: z.string(),
  address: z.string(),
});
export type OtherWallet = z.infer<typeof OtherWallet>;

const AmlFinding = z
  .strictObject({
    checkId: z.uuid().describe('Its entry in the AML history.'),
    role: z.enum(['origin', 'destination']),
    provider: z.string(),
    status: z.string(),
    reason: text.describe('Why there is no score.'),
    riskScore: z.number().nullable(),
    riskSeverity: z.enum(SEVERITIES).nullable(),
    sanctioned: z.boolean().nullable(),
    categories: z.array(z.enum(ENTITY_TYPES)),
    fetchedAt: z.iso.datetime(),
  })
  .meta({ id: 'TransactionAmlFinding' });
export type AmlFinding = z.infer<typeof AmlFinding>;

const WalletFinding = z
  .strictObject({
    checkId: z
      .uuid()
      .nullable()
      .describe('Its entry in the Wallet Intelligence history; null when own data alone was asked.'),
    classification: z.enum(['CUSTODIAL', 'NON_CUSTODIAL', 'UNKNOWN']),
    confidence: z.number(),
    source: text,
    reason: text,
    entityName: text,
    agenticDetected: z.boolean().nullable(),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'TransactionWalletFinding' });
export type WalletFinding = z.infer<typeof WalletFinding>;

const CounterpartyFinding = z
  .strictObject({
    entityId: z.uuid(),
    name: z.string(),
    type: z.enum(ENTITY_TYPES),
    countries: z.array(z.string()),
    inNetwork: z.boolean(),
    riskSeverity: z.enum(SEVERITIES),
    policy: z.enum(['ALLOW', 'REVIEW', 'BLOCK']).describe("The tenant's own policy."),
  })
  .meta({ id: 'TransactionCounterpartyFinding' });
export type CounterpartyFinding = z.infer<typeof CounterpartyFinding>;

/** What was found out about a transfer at one time, with sources, list versions and times. */
export const TransactionScreening = z
  .strictObject({
    id: z.uuid(),
    recordVersion: z.int().describe('The version of the transaction that was looked at.'),
    screenedAt: z.iso.datetime(),
    sanctions: z.strictObject({
      nameMatch: z.boolean().nullable().describe('Null while masked.'),
      addressMatch: z.boolean(),
      subjects: z.array(
        z.strictObject({
          role: z.string().describe('`originator`, `destination`, …'),
          screening: SanctionsScreening.nullable().describe(
            'Null for a name without a letter or digit, and while masked.',
          ),
        }),
      ),
    }),
    otherWallet: OtherWallet.nullable().describe('The wallet on the other side, as far as it is known.'),
    aml: AmlFinding.nullable().describe('Null when no provider is activated.'),
    wallet: WalletFinding.nullable(),
    counterparty: CounterpartyFinding.nullable().describe('Null when it is unknown.'),
  })
  .meta({ id: 'TransactionScreening' });
export type TransactionScreening = z.infer<typeof TransactionScreening>;

/** What a reviewer reads of a transfer. */
export const ReviewFile = z
  .strictObject({
    hold: z.enum(HOLDS).nullable().describe('Why it is held; null when it is not.'),
    screening: TransactionScreening.nullable().describe('The latest one; null before the first.'),
    reviews: z
      .array(
        z.strictObject({
          at: z.iso.datetime(),
          decision: z.enum(['PROCEED', 'BLOCK']),
          reason: z.string(),
          isProposal: z.boolean().describe('A second reviewer had to agree.'),
        }),
      )
      .describe('What was decided before and why, the first one first.'),
  })
  .meta({ id: 'TransactionReviewFile' });
export type ReviewFile = z.infer<typeof ReviewFile>;

/**
 * Who and what of a transfer is compared with the lists: its parties, the other VASP and both wallets. The tenant itself
 * is not its own subject. `knownVasp` is the other VASP's name where the record gives none.
 */
export function subjectsOf(record: TransactionRecord, knownVasp: string | null = null): ScreenedSubject[] {
  const { originator, beneficiary, additionalOriginators, vaspInfo } = record.personal;
  const isOutgoing = record.direction === 'OUTGOING';
  const vasp = (isOutgoing ? vaspInfo.beneficiaryVaspName : vaspInfo.originatorVaspName) ?? knownVasp;
  return [
    ...partySubject('originator', originator),
    ...partySubject('beneficiary', beneficiary),
    ...additionalOriginators.flatMap((party, place) => partySubject(`additionalOriginators/${place}`, party)),
    ...(vasp ? [name(isOutgoing ? 'beneficiaryVasp' : 'originatorVasp', { type: 'LEGAL', name: vasp })] : []),
    ...addressSubject('origin', record.origin),
    ...addressSubject('destination', record.destination),
  ];
}

function name(role: string, body: SanctionsSearchBody): ScreenedSubject {
  return { role, kind: 'NAME', body };
}

function addressSubject(role: string, address: string | null): ScreenedSubject[] {
  const trimmed = address?.trim();
  return trimmed ? [{ role, kind: 'ADDRESS', address: trimmed }] : [];
}

function partySubject(role: string, party: Party | null): ScreenedSubject[] {
  const names = namesOf(party);
  if (!party || names === undefined) return [];
  const { type, dateOfBirth, country, nationalIdentificator, lei } = party;
  return [
    name(role, {
      ...names,
      ...(type && { type }),
      ...(dateOfBirth !== undefined && { dateOfBirth }),
      ...(country !== undefined && { country }),
      ...(nationalIdentificator !== undefined && { nationalIdentificator }),
      ...(lei !== undefined && { lei }),
    }),
  ];
}

/** One part of a name alone is better than nothing. */
function namesOf(
  party: Party | null,
): Pick<SanctionsSearchBody, 'name' | 'firstName' | 'lastName'> | undefined {
  const { name: whole, firstName, lastName } = party ?? {};
  if (firstName !== undefined && lastName !== undefined)
    return { firstName, lastName, ...(whole !== undefined && { name: whole }) };
  const only = whole ?? firstName ?? lastName;
  return only === undefined ? undefined : { name: only };
}

/** What its tenant may see: while the record is sealed, nobody's name and nothing that was compared with it. */
export function viewScreening(screening: TransactionScreening, sealed: boolean): TransactionScreening {
  if (!sealed) return screening;
  const { sanctions } = screening;
  const subjects = sanctions.subjects.map((subject) =>
    isWallet(subject.role) ? subject : { ...subject, screening: null },
  );
  return { ...screening, sanctions: { ...sanctions, nameMatch: null, subjects } };
}

function isWallet(role: string): boolean {
  return role === 'origin' || role === 'destination';
}

/** The wallet on the other side of a transfer; null where the record does not say enough of it. */
export function otherWallet(record: TransactionRecord): OtherWallet | null {
  const { direction, blockchainKey, origin, destination } = record;
  const [role, address] =
    direction === 'OUTGOING' ? (['destination', destination] as const) : (['origin', origin] as const);
  return blockchainKey && address ? { role, blockchain: blockchainKey, address } : null;
}

/** Longer than the day after which an unrouted message is tried again. */
const FRESH_MS = 7 * 24 * 3_600_000;

/** Whether what was found about the wallet before still serves: a provider may be paid for every answer. */
export function servesAgain(
  previous: TransactionScreening | null,
  record: TransactionRecord,
  provider: string | null,
  now: Date,
): boolean {
  if (!previous || (previous.aml?.provider ?? null) !== provider) return false;
  const wallet = otherWallet(record);
  const isSame =
    previous.otherWallet?.blockchain === wallet?.blockchain &&
    previous.otherWallet?.address === wallet?.address;
  const isSent = record.direction === 'OUTGOING' && record.status === 'DELIVERED';
  return isSame && (isSent || now.getTime() - Date.parse(previous.screenedAt) < FRESH_MS);
}
