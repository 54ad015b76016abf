import { normalAddress, normalHash } from '../../address.ts';
import { canonicalJson } from '../../canonical-json.ts';
import { foldName } from '../../fold.ts';
import { blockchainKey } from '../../normalised-places.ts';
import type { Party } from '../../parties/party.ts';
import { haveOneName } from '../beneficiary-match.ts';
import type { PersonalData, ReceivedVersion, TransactionRecord } from '../record.ts';

/** What a message says of both VASPs beside their names. */
export function saidOfVasps({
  originatorVasp,
  beneficiaryVasp,
  namesOtherVasp,
}: PersonalData): Pick<PersonalData, 'originatorVasp' | 'beneficiaryVasp' | 'namesOtherVasp'> {
  return {
    ...(originatorVasp && { originatorVasp }),
    ...(beneficiaryVasp && { beneficiaryVasp }),
    ...(namesOtherVasp && { namesOtherVasp }),
  };
}

/** The version that a message sends, as it is kept beside the tenant's own record. */
export function receivedVersion(
  {
    asset,
    amount,
    blockchain,
    transactionHash,
    origin,
    originTag,
    destinationTag,
    personal,
  }: TransactionRecord,
  now: Date,
): ReceivedVersion {
  const { vaspInfo, originator, beneficiary, additionalOriginators } = personal;
  return {
    receivedAt: now.toISOString(),
    takenBackAt: null,
    asset,
    amount,
    blockchainInfo: { blockchain, transactionHash, origin, originTag, destinationTag },
    vaspInfo,
    originator,
    beneficiary,
    additionalOriginators,
    ...saidOfVasps(personal),
    filled: [],
  };
}

/**
 * JSON Pointers to the fields of a record that the received version contradicts, in the order of the API. A field that
 * only one of the two has is no difference.
 */
export function differencesOf(record: TransactionRecord, received: ReceivedVersion): string[] {
  const { personal } = record;
  const [own, sent] = [personal.additionalOriginators, received.additionalOriginators];
  const severalDiffer = own.length > 0 && sent.length > 0 && !areAlike(own, sent);
  return [
    ...(areAlike(record.amount, received.amount) ? [] : ['/amount']),
    ...placeDifferences(record, received),
    ...fieldDifferences('/vaspInfo', personal.vaspInfo, received.vaspInfo),
    ...partyDifferences('/originator', personal.originator, received.originator),
    ...partyDifferences('/beneficiary', personal.beneficiary, received.beneficiary),
    ...(severalDiffer ? ['/additionalOriginators'] : []),
  ];
}

/** Compares chain, hash and addresses in normal form. */
function placeDifferences(record: TransactionRecord, { blockchainInfo }: ReceivedVersion): string[] {
  const { blockchain, transactionHash, origin } = blockchainInfo;
  const received = {
    ...blockchainInfo,
    blockchain: blockchain && blockchainKey(blockchain),
    transactionHash: transactionHash && normalHash(transactionHash),
    origin: origin && normalOrigin(record.blockchain, origin),
  };
  const own = {
    blockchain: record.blockchainKey,
    transactionHash: record.hashNormal,
    origin: record.originNormal,
    originTag: record.originTag,
    destinationTag: record.destinationTag,
  };
  const fields = Object.keys(own) as (keyof typeof own)[];
  const differ = fields.filter(
    (field) => own[field] !== null && received[field] !== null && own[field] !== received[field],
  );
  return differ.map((field) => `/blockchainInfo/${field}`);
}

/** An address that is none on the record's chain is compared as it was sent. */
function normalOrigin(blockchain: string | null, origin: string): string {
  const checked = normalAddress(blockchain, origin);
  return checked.ok ? checked.normal : origin;
}

/** Pointers to the fields that both have, with different values. */
function fieldDifferences(pointer: string, own: object | null, received: object | null): string[] {
  return differingFields(own, received).map((field) => `${pointer}/${field}`);
}

function differingFields(own: object | null, received: object | null): string[] {
  const values = new Map<string, unknown>(Object.entries(received ?? {}));
  return Object.entries(own ?? {})
    .filter(([field, value]) => !areAlike(value, values.get(field)))
    .map(([field]) => field);
}

/** Like fieldDifferences; names that are given in different fields differ in the one that the own version has. */
export function partyDifferences(pointer: string, own: Party | null, received: Party | null): string[] {
  const pointers = fieldDifferences(pointer, own, received);
  const isNameTold = NAME_FIELDS.some((field) => pointers.includes(`${pointer}/${field}`));
  if (!own || !received || isNameTold || !haveOtherNames(own, received)) return pointers;
  return [`${pointer}/${NAME_FIELDS.find((field) => own[field] !== undefined) ?? 'name'}`, ...pointers];
}

const NAME_FIELDS = ['name', 'lastName', 'firstName'] as const;

/** Whether two values agree: an absent one agrees with anything, texts are compared without case and accents. */
function areAlike(one: unknown, other: unknown): boolean {
  if (isAbsent(one) || isAbsent(other)) return true;
  return foldedText(one) === foldedText(other);
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined;
}

function foldedText(value: unknown): string {
  return foldName(typeof value === 'string' ? value : canonicalJson(value));
}

/** The fields that say where somebody lives, which one person may have several of. */
const RESIDENCE = ['address', 'addressDetails', 'country'] as const;
/** Fields that differ without telling two persons apart. */
const NOT_IDENTIFYING: ReadonlySet<string> = new Set([...RESIDENCE, 'aliases']);

/** Whether a reviewer has let the record pass since the received version came. */
export function isReceivedReviewed({ personal: { reviews = [], received } }: TransactionRecord): boolean {
  return reviews.some(
    ({ decision, isVoid, at }) =>
      decision === 'PROCEED' && !isVoid && received !== undefined && at >= received.receivedAt,
  );
}

/** Whether two versions of a party are two persons: another name, or anything else that identifies one. */
export function isSomebodyElse(own: Party | null, said: Party): boolean {
  const names = new Set<string>(NAME_FIELDS);
  const isIdentity = (field: string) => !NOT_IDENTIFYING.has(field) && !names.has(field);
  return differingFields(own, said).some(isIdentity) || (own !== null && !haveOneName(own, said));
}

/**
 * A party of the tenant's record, filled with what the message says of it where the record is silent. Nothing is
 * filled where anything that identifies the party differs, and no part of an address where another part differs.
 */
export function filledParty(own: Party | null, sent: Party | null): Party | null {
  if (!own || !sent) return own ?? sent;
  const fields = Object.keys(own) as (keyof Party)[];
  const residence = new Set<string>(RESIDENCE);
  const isOther = fields.some((field) => !NOT_IDENTIFYING.has(field) && !areAlike(own[field], sent[field]));
  if (isOther || haveOtherNames(own, sent)) return own;
  const livesElsewhere = RESIDENCE.some((field) => !areAlike(own[field], sent[field]));
  const added = Object.entries(sent).filter(([field]) => !(livesElsewhere && residence.has(field)));
  return { ...(Object.fromEntries(added) as Party), ...own };
}

/** Whether both parties have a name, whole or in parts, and share none, or one names a person that the other does not. */
function haveOtherNames(own: Party, sent: Party): boolean {
  const [names, others] = [namesOf(own), namesOf(sent)];
  const shareNone = names.length > 0 && others.length > 0 && !names.some((name) => others.includes(name));
  return shareNone || !haveOneName(own, sent);
}

function namesOf({ name, firstName, lastName }: Party): string[] {
  const split = firstName && lastName ? [`${firstName} ${lastName}`, `${lastName} ${firstName}`] : [];
  return [...(name ? [name] : []), ...split].map(foldName);
}
