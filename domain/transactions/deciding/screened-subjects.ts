import { canonicalJson } from '../../canonical-json.ts';
import type { Party } from '../../parties/party.ts';
import type { SanctionsSearchBody } from '../../sanctions-screening/schema.ts';
import type { PersonalData, TransactionRecord } from '../record.ts';
import { vaspBodies, type KnownVasp } from './vasp-names.ts';

/** A name or an address of a transfer that is screened against the sanctions lists. */
export type ScreenedSubject =
  | { role: string; kind: 'NAME'; body: SanctionsSearchBody }
  | { role: string; kind: 'ADDRESS'; address: string };

/** The role of whoever has declared the self-hosted wallet to be theirs: no party of the message, but the holder of the coins. */
export const WALLET_OWNER = 'walletOwner';

/**
 * The subjects of a transfer that are screened: its parties, the other VASP, whom else a message takes for the tenant, the
 * declared owners of its self-hosted wallet, and all wallets, but not the tenant itself.
 * Of a record that a message completed, also what the message says otherwise. A VASP is compared by all names that the
 * directory has of it.
 */
export function subjectsOf(
  record: TransactionRecord,
  knownVasp: KnownVasp | null = null,
  declaredOwners: readonly string[] = [],
): ScreenedSubject[] {
  const { received, approvedAddress = null, claimedVaspNames = [] } = record.personal;
  const own = [
    ...subjectsOfVersion({ ...record, ...record.personal }, knownVasp),
    ...addressSubject('approvedAddress', approvedAddress),
    ...vaspBodies(null, claimedVasp(claimedVaspNames)).map((body) => name('originatorVasp', body)),
    ...declaredOwners.map((owner) => name(WALLET_OWNER, { name: owner })),
  ];
  if (!received) return own;
  const { origin, originTag, destinationTag } = received.blockchainInfo;
  const { direction, destination } = record;
  const beneficiary = personBehind(record.personal.beneficiary, received.beneficiary);
  const version = { ...received, beneficiary, direction, origin, originTag, destination, destinationTag };
  const sent = subjectsOfVersion(version, otherVaspOf(version) === null ? null : knownVasp);
  const known = new Set(own.map(comparedText));
  const others = sent.filter((subject) => !known.has(comparedText(subject)));
  return [...own, ...others.map((subject) => ({ ...subject, role: `received/${subject.role}` }))];
}

/** The names by which claims ask a VASP, beside the one that the record gives. */
function claimedVasp([name, ...others]: readonly string[]): KnownVasp | null {
  return name === undefined ? null : { name, allNames: others };
}

/** A party of the other VASP's version. One that it does not name is the one that the tenant names. */
function personBehind(own: Party | null, said: Party | null): Party | null {
  return said && namesOf(said) === undefined ? { ...own, ...said } : said;
}

/** The role alone: a party keeps it in the received version of the message, and among several additional originators. */
export function roleInTransfer(role: string): string {
  return role.replace(/^received\//, '').replace(/\/\d+$/, '');
}

/** The compared data of a subject, with its role: what a reviewer releases in one role is not released in another. */
function comparedText({ role, ...subject }: ScreenedSubject): string {
  return canonicalJson([roleInTransfer(role), subject.kind === 'NAME' ? subject.body : subject.address]);
}

/** One version of a transfer: the tenant's own or the received one. */
type ScreenedVersion = Pick<
  PersonalData,
  'originator' | 'beneficiary' | 'additionalOriginators' | 'vaspInfo' | 'originatorVasp' | 'beneficiaryVasp'
> &
  Pick<TransactionRecord, 'direction' | 'origin' | 'originTag' | 'destination' | 'destinationTag'>;

function subjectsOfVersion(version: ScreenedVersion, knownVasp: KnownVasp | null): ScreenedSubject[] {
  const { originator, beneficiary, additionalOriginators } = version;
  const vaspRole = version.direction === 'OUTGOING' ? 'beneficiaryVasp' : 'originatorVasp';
  return [
    ...partySubject('originator', originator),
    ...partySubject('beneficiary', beneficiary),
    ...additionalOriginators.flatMap((party, index) => partySubject(`additionalOriginators/${index}`, party)),
    ...vaspBodies(otherVaspOf(version), knownVasp).map((body) => name(vaspRole, body)),
    ...partySubject(vaspRole, (version.direction === 'INCOMING' && version.originatorVasp) || null),
    ...partySubject('beneficiaryVasp', (version.direction === 'INCOMING' && version.beneficiaryVasp) || null),
    ...addressSubject('origin', version.origin),
    ...addressSubject('destination', version.destination),
    ...tagSubject('origin', version.originTag),
    ...tagSubject('destination', version.destinationTag),
    ...accountSubjects(version),
  ];
}

/** No address of a listed wallet is shorter; shorter numbers of accounts are a business's own. */
const SHORTEST_ADDRESS = 20;

/** The accounts of the parties that may be wallets: IVMS101 has no other place for the address of a party. */
function accountSubjects({ origin, destination, ...parties }: ScreenedVersion): ScreenedSubject[] {
  const { originator, beneficiary, additionalOriginators } = parties;
  const known = new Set([origin?.trim(), destination?.trim()]);
  const account = (role: string, party: Party | null): ScreenedSubject[] => {
    const number = party?.accountNumber?.trim() ?? '';
    return number.length < SHORTEST_ADDRESS || known.has(number) ? [] : addressSubject(role, number);
  };
  return [
    ...account('originator', originator),
    ...account('beneficiary', beneficiary),
    ...additionalOriginators.flatMap((party, index) => account(`additionalOriginators/${index}`, party)),
    ...account('originatorVasp', parties.originatorVasp ?? null),
    ...account('beneficiaryVasp', parties.beneficiaryVasp ?? null),
  ];
}

/** A tag that is long enough to be a wallet: a sender may write the real one there. */
function tagSubject(role: string, tag: string | null): ScreenedSubject[] {
  return (tag?.trim().length ?? 0) < SHORTEST_ADDRESS ? [] : addressSubject(role, tag);
}

/** The name that the version gives to the VASP on the other side. */
function otherVaspOf({
  direction,
  vaspInfo,
}: Pick<ScreenedVersion, 'direction' | 'vaspInfo'>): string | null {
  return direction === 'OUTGOING' ? vaspInfo.beneficiaryVaspName : vaspInfo.originatorVaspName;
}

function name(role: string, body: SanctionsSearchBody): ScreenedSubject {
  return { role, kind: 'NAME', body };
}

function addressSubject(role: string, address: string | null): ScreenedSubject[] {
  const trimmed = address?.trim();
  return trimmed ? [{ role, kind: 'ADDRESS', address: trimmed }] : [];
}

/**
 * A party is compared with entries of every type: its own type may come from the sender, and must not hide an entry. So is a
 * VASP, which may be a natural person.
 */
function partySubject(role: string, party: Party | null): ScreenedSubject[] {
  const names = namesOf(party);
  if (!party || (names === undefined && !hasIdentifier(party))) return [];
  const { dateOfBirth, country, lei } = party;
  const { nationalIdentificator, nationalIdentificatorType, identifierCountry } = party;
  return [
    name(role, {
      ...names,
      ...(dateOfBirth !== undefined && { dateOfBirth }),
      ...(country !== undefined && { country }),
      ...(nationalIdentificator !== undefined && {
        nationalIdentificator,
        ...(nationalIdentificatorType !== undefined && { nationalIdentificatorType }),
        ...(identifierCountry !== undefined && { identifierCountry }),
      }),
      ...(lei !== undefined && { lei }),
    }),
  ];
}

/** Whether it has a number by which it is found without a name. */
function hasIdentifier({ nationalIdentificator, lei }: Party): boolean {
  return nationalIdentificator !== undefined || lei !== undefined;
}

/** Every name that the party has; a first or last name stands for the whole name where it is the only one. */
function namesOf(
  party: Party | null,
): Pick<SanctionsSearchBody, 'name' | 'firstName' | 'lastName' | 'aliases'> | undefined {
  const { name: whole, firstName, lastName, aliases } = party ?? {};
  const others = aliases !== undefined && { aliases };
  const isWhole = whole !== undefined || (firstName !== undefined && lastName !== undefined);
  if (!isWhole) {
    const only = firstName ?? lastName;
    return only === undefined ? others || undefined : { name: only, ...others };
  }
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(whole !== undefined && { name: whole }),
    ...others,
  };
}
