import { z } from 'zod';
import { countryCode } from '../country.ts';
import type { FieldError } from '../errors.ts';
import { isLei } from '../lei.ts';
import { text } from '../schema-fields.ts';

// Maximum lengths are those of IVMS101 for the fields that it has.

/** A country, given as alpha-2 code or English name; stored and returned as alpha-2 code. */
export const Country = z
  .string()
  .max(100)
  .transform((given, context): string => {
    const code = countryCode(given);
    if (code) return code;
    context.addIssue({
      code: 'custom',
      message: 'an ISO 3166-1 alpha-2 code or an English country name is expected',
    });
    return z.NEVER;
  });

export const Lei = z
  .string()
  .refine(isLei, 'a Legal Entity Identifier (ISO 17442) with a valid checksum is expected');

const IDENTIFIER_TYPES = [
  'ARNU',
  'CCPT',
  'RAID',
  'DRLC',
  'FIIN',
  'TXID',
  'SOCS',
  'IDCD',
  'LEIX',
  'MISC',
] as const;

/** Identifier types of IVMS101; the passport codes PAS and PASSPORT of other systems become CCPT. */
const IdentifierType = z
  .enum([...IDENTIFIER_TYPES, 'PAS', 'PASSPORT'])
  .transform((given) => (given === 'PAS' || given === 'PASSPORT' ? 'CCPT' : given));

const addressFields = {
  street: text(70),
  buildingNumber: text(16),
  postCode: text(16),
  town: text(35),
  countrySubDivision: text(35),
};
const AddressDetails = z.strictObject(addressFields).partial();
type AddressDetails = z.infer<typeof AddressDetails>;

/** How many other names a party may have; a screening takes as many aliases of one subject. */
export const MAX_ALIASES = 20;
export const MAX_ALIAS_LENGTH = 200;
const Aliases = z.array(text(MAX_ALIAS_LENGTH)).max(MAX_ALIASES);

const partyFields = {
  type: z.enum(['NATURAL', 'LEGAL']).optional(),
  name: text(200).optional(),
  firstName: text(100).optional(),
  lastName: text(100).optional(),
  // No other names are none given.
  aliases: Aliases.transform((given) => (given.length === 0 ? undefined : given)).optional(),
  accountNumber: text(100).optional(),
  address: text(500).optional(),
  // An address without any field is none.
  addressDetails: AddressDetails.transform(givenFields<AddressDetails>).optional(),
  country: Country.optional(),
  nationalIdentificatorType: IdentifierType.optional(),
  nationalIdentificator: text(35).optional(),
  identifierCountry: Country.optional(),
  registrationAuthority: text(20).optional(),
  lei: Lei.optional(),
  customerIdentification: text(50).optional(),
  dateOfBirth: z.iso.date().optional(),
  placeOfBirth: text(70).optional(),
};

/** An originator or beneficiary in requests. */
export const PartyInput = z.strictObject(partyFields).meta({ id: 'PartyInput' });
export type Party = z.infer<typeof PartyInput>;

const nullable = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

/** The members with a value; undefined if there are none. */
function givenFields<T extends object>(fields: { [K in keyof T]: T[K] | null }): T | undefined {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return given.length === 0 ? undefined : (Object.fromEntries(given) as T);
}

/** A change of an address: like a change of a party, member by member. */
const AddressDetailsPatch = z.strictObject({
  street: nullable(addressFields.street),
  buildingNumber: nullable(addressFields.buildingNumber),
  postCode: nullable(addressFields.postCode),
  town: nullable(addressFields.town),
  countrySubDivision: nullable(addressFields.countrySubDivision),
});

/** A change of a party: a value sets a field, null clears it, an absent field stays. */
export const PartyPatch = z
  .strictObject({
    type: nullable(z.enum(['NATURAL', 'LEGAL'])),
    name: nullable(text(200)),
    firstName: nullable(text(100)),
    lastName: nullable(text(100)),
    aliases: nullable(Aliases.transform((given) => (given.length === 0 ? null : given))),
    accountNumber: nullable(text(100)),
    address: nullable(text(500)),
    addressDetails: nullable(AddressDetailsPatch),
    country: nullable(Country),
    nationalIdentificatorType: nullable(IdentifierType),
    nationalIdentificator: nullable(text(35)),
    identifierCountry: nullable(Country),
    registrationAuthority: nullable(text(20)),
    lei: nullable(Lei),
    customerIdentification: nullable(text(50)),
    dateOfBirth: nullable(z.iso.date()),
    placeOfBirth: nullable(text(70)),
  })
  .meta({ id: 'PartyPatch' });
export type PartyPatch = z.infer<typeof PartyPatch>;

const shown = (schema: z.ZodType<string, unknown> = z.string()) => schema.nullable();

/** A party in responses: every field is present, null when it has no value. */
export const PartyView = z
  .strictObject({
    type: z.enum(['NATURAL', 'LEGAL']).nullable(),
    name: shown(),
    firstName: shown(),
    lastName: shown(),
    aliases: z.array(z.string()).nullable(),
    accountNumber: shown(),
    address: shown(),
    addressDetails: z
      .strictObject({
        street: shown(),
        buildingNumber: shown(),
        postCode: shown(),
        town: shown(),
        countrySubDivision: shown(),
      })
      .nullable(),
    country: shown(),
    nationalIdentificatorType: shown(z.enum(IDENTIFIER_TYPES)),
    nationalIdentificator: shown(),
    identifierCountry: shown(),
    registrationAuthority: shown(),
    lei: shown(),
    customerIdentification: shown(),
    dateOfBirth: shown(),
    placeOfBirth: shown(),
  })
  .meta({ id: 'Party' });
export type PartyView = z.infer<typeof PartyView>;

const ADDRESS_FIELDS = Object.keys(addressFields) as (keyof AddressDetails)[];
const PARTY_FIELDS = Object.keys(partyFields) as (keyof Party)[];

/** A stored party in the shape of responses. */
export function viewParty(party: Party | null): PartyView | null {
  if (!party) return null;
  const view = filled(PARTY_FIELDS, party);
  view.addressDetails = party.addressDetails ? filled(ADDRESS_FIELDS, party.addressDetails) : null;
  return view as PartyView;
}

/** All of the fields, null where the object has none. A loop, since every page of a list does this hundreds of times. */
function filled<K extends string>(
  fields: readonly K[],
  given: Partial<Record<K, unknown>>,
): Partial<Record<K, unknown>> {
  const all: Partial<Record<K, unknown>> = {};
  for (const field of fields) all[field] = given[field] ?? null;
  return all;
}

/** Applies a patch; its address changes member by member. A party without any field becomes null. */
export function patchParty(party: Party | null, patch: PartyPatch | null): Party | null {
  if (!patch?.addressDetails) return setPartyFields(party, patch);
  const merged = { ...party?.addressDetails, ...patch.addressDetails };
  return setPartyFields(party, { ...patch, addressDetails: givenFields<AddressDetails>(merged) ?? null });
}

/** Sets or clears whole fields, of an address all members at once. A party without any field becomes null. */
export function setPartyFields(party: Party | null, fields: PartyPatch | null): Party | null {
  return fields && (givenFields<Party>({ ...party, ...fields } as Party) ?? null);
}

/** Faults that concern several fields. `pointer` points to the party, `today` is YYYY-MM-DD in UTC. */
export function partyFaults(pointer: string, party: Party | null | undefined, today: string): FieldError[] {
  if (!party) return [];
  const faults: FieldError[] = [];
  if (
    party.nationalIdentificatorType === 'LEIX' &&
    party.nationalIdentificator &&
    !isLei(party.nationalIdentificator)
  ) {
    faults.push({
      pointer: `${pointer}/nationalIdentificator`,
      code: 'lei_invalid',
      message: 'with type LEIX a Legal Entity Identifier with a valid checksum is expected',
    });
  }
  if (party.dateOfBirth && party.dateOfBirth > today) {
    faults.push({
      pointer: `${pointer}/dateOfBirth`,
      code: 'date_in_future',
      message: 'a date in the past is expected',
    });
  }
  return faults;
}
