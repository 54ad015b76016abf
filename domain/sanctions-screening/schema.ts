import { z } from 'zod';
import { Country, Lei, PartyInput } from '../parties/party.ts';
import { MISSING_REASONS } from './list-state.ts';
import { ListCode } from '../sanctions-lists/list-code.ts';
import { text } from '../schema-fields.ts';

/** A full or partial date of birth; impossible dates are refused. */
const BirthDate = z.string().refine(isRealDate, 'a date as YYYY, YYYY-MM or YYYY-MM-DD is expected');

function isRealDate(text: string): boolean {
  if (!/^[12]\d{3}(-\d\d){0,2}$/.test(text)) return false;
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

const GENDERS: Record<string, 'MALE' | 'FEMALE' | 'OTHER'> = { m: 'MALE', f: 'FEMALE', x: 'OTHER' };
/** A gender, also in the notation of identity documents (M, F, X). */
const Gender = z.preprocess(
  (given) => (typeof given === 'string' ? (GENDERS[given.toLowerCase()] ?? given.toUpperCase()) : given),
  z.enum(['MALE', 'FEMALE', 'OTHER']),
);

/** A name, at most as long as the engine reads. */
const Name = text(1_000);

/** The subject to screen. */
export const SanctionsSearchBody = z
  .strictObject({
    type: z
      .enum(['NATURAL', 'LEGAL'])
      .optional()
      .describe('NATURAL searches persons only, LEGAL all other subjects; without it all are searched.'),
    name: Name.optional().describe('The whole name, in any script and order.'),
    firstName: Name.optional(),
    lastName: Name.optional(),
    aliases: z.array(text(200)).max(20).optional().describe('Other names of the same subject.'),
    dateOfBirth: BirthDate.optional().describe('YYYY, YYYY-MM or YYYY-MM-DD.'),
    placeOfBirth: text(200).optional().describe('Stored with the screening; not compared.'),
    nationality: Country.optional(),
    country: Country.optional(),
    gender: Gender.optional().describe('MALE, FEMALE or OTHER; OTHER is not compared.'),
    nationalIdentificator: text(64).optional(),
    nationalIdentificatorType: PartyInput.shape.nationalIdentificatorType,
    identifierCountry: Country.optional().describe(
      'Where `nationalIdentificator` was issued; `nationality` and `country` count if absent.',
    ),
    registrationNumber: text(64).optional(),
    lei: Lei.optional(),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe('Minimum score of the matches shown; the `reviewThreshold` of the settings if absent.'),
    lists: z
      .array(ListCode)
      .min(1)
      .max(50)
      .optional()
      .describe('Only these lists; all active ones if absent.'),
  })
  .refine(
    (body) => body.name !== undefined || (body.firstName !== undefined && body.lastName !== undefined),
    {
      path: ['name'],
      error: '`name`, or `firstName` and `lastName`, is expected.',
      params: { code: 'required' },
    },
  )
  .meta({ id: 'SanctionsSearch' });
export type SanctionsSearchBody = z.infer<typeof SanctionsSearchBody>;

const texts = z.array(z.string());
const score = z.number().describe('0 to 1.');

/** One listing of a matched entry; every field is a list, empty if the source has no value. */
const SanctionView = z
  .strictObject({
    countries: texts.describe('Countries of the authority.'),
    listedOn: texts,
    delistedOn: texts,
    listingId: texts,
    reason: texts,
    referenceLinks: texts,
    sanctionAuthority: texts,
    sanctionList: texts,
    sanctionProgram: texts,
    sanctionType: texts,
    status: texts,
    duration: texts,
  })
  .meta({ id: 'Sanction' });
export type SanctionView = z.infer<typeof SanctionView>;

const Explanation = z
  .strictObject({
    matchedName: z
      .string()
      .nullable()
      .describe('The listed name; null when only an identifier or a wallet matched.'),
    matchedNameKind: z.enum(['primary', 'aka', 'fka', 'weak', 'original_script']).nullable(),
    queryName: z.string().nullable().describe('The matching name of the request.'),
    parts: z.array(z.strictObject({ query: z.string(), listed: z.string(), how: z.string(), score })),
    qualifiers: z.array(
      z.strictObject({
        kind: z.enum(['birth_date', 'country', 'gender', 'identifier', 'wallet']),
        outcome: z.enum(['equal', 'near', 'different']),
        query: z.string(),
        listed: z.string(),
        effect: z.number().describe('Amount added to the score.'),
      }),
    ),
    score,
  })
  .meta({ id: 'SanctionsExplanation' });

export const MatchView = z
  .strictObject({
    name: z.string(),
    categories: texts,
    countries: texts,
    aliases: texts.describe('Aliases; the one that matched is the first.'),
    flagSummary: texts,
    riskLevel: z.enum(['low', 'medium', 'high']),
    riskScore: z.number().describe('0 to 100.'),
    sanctions: z.array(SanctionView),
    type: z.enum(['person', 'organisation', 'vessel', 'aircraft']),
    listCode: z.string(),
    listingId: z.string().describe("The list's own id of the entry."),
    listVersion: z.int(),
    entryHash: z.string().describe('Changes with any change of the entry.'),
    explanation: Explanation,
  })
  .meta({ id: 'SanctionsMatch' });
export type MatchView = z.infer<typeof MatchView>;

export const SCREENING_KINDS = ['NAME', 'ADDRESS'] as const;
export const ANSWERED_BY = ['INDEX', 'DATABASE'] as const;

/** The caller of a screening: an API key or user of the tenant, or the service itself for a transfer. */
export const AskedBy = z.strictObject({
  kind: z.enum(['API_KEY', 'USER', 'SYSTEM']),
  id: z.string().nullable(),
});
export type AskedBy = z.infer<typeof AskedBy>;

/** The result of a screening, stored as it was returned. */
export const SanctionsScreening = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(SCREENING_KINDS),
    screenedName: z.string().describe('The name or the address as sent, trimmed.'),
    sanctioned: z.boolean(),
    totalMatches: z.int(),
    matches: z.array(MatchView),
    suppressedMatches: z
      .int()
      .describe('Matches left out because the tenant has marked them as false positives.'),
    complete: z
      .boolean()
      .describe(
        'False when a required list was not searched or is too old, when a name has more words, or more names in it, than are compared, and for a name while `answeredBy` is DATABASE.',
      ),
    missingLists: z.array(z.strictObject({ code: z.string(), reason: z.enum(MISSING_REASONS) })),
    lists: z.array(
      z.strictObject({ code: z.string(), version: z.int(), publishedAt: z.iso.datetime().nullable() }),
    ),
    thresholds: z.strictObject({ review: score, match: score }),
    answeredBy: z
      .enum(ANSWERED_BY)
      .describe(
        'INDEX: from memory; DATABASE: used while the index is loading, with the same scores, but it misses other spellings and scripts.',
      ),
    engineVersion: z.string(),
    screenedAt: z.iso.datetime(),
    askedBy: AskedBy,
    request: z.record(z.string(), z.unknown()).describe('The request as it was read.'),
  })
  .meta({ id: 'Screening' });
export type SanctionsScreening = z.infer<typeof SanctionsScreening>;

export const AddressParam = z.string().trim().min(1).max(256);
