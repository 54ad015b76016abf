import { ADMINISTRATION_FIELDS } from './glossary/administration.ts';
import { CLAIM_FIELDS } from './glossary/claims.ts';
import { PATH_PARAMETERS, QUERY_PARAMETERS } from './glossary/parameters.ts';
import { RECORD_FIELDS } from './glossary/records.ts';
import { RULE_FIELDS } from './glossary/rules.ts';
import { SCREENING_FIELDS } from './glossary/screening.ts';
import { STATISTICS_FIELDS } from './glossary/statistics.ts';
import { TRANSFER_FIELDS } from './glossary/transfers.ts';

/**
 * Descriptions of fields whose schema has none of its own: by `Schema.field`, or by `field` for those that mean the same
 * wherever they stand.
 */
export const GLOSSARY: Readonly<Record<string, string>> = {
  ...RECORD_FIELDS,
  ...TRANSFER_FIELDS,
  ...CLAIM_FIELDS,
  ...SCREENING_FIELDS,
  ...RULE_FIELDS,
  ...ADMINISTRATION_FIELDS,
  ...STATISTICS_FIELDS,
};

/** Schemas that are another one with further fields. */
const EXTENDED: Readonly<Record<string, string>> = {
  ReviewedTransaction: 'Transaction',
  PublishedRules: 'RuleConfiguration',
  MadeSuppression: 'Suppression',
  ChangedTenant: 'Tenant',
  ChangedSettings: 'Settings',
  PartnerMessage: 'CreateTransaction',
  PartnerTransaction: 'Transaction',
  PortalMessage: 'Transaction',
  PortalAnswer: 'PatchTransaction',
  PortalClaim: 'Claim',
  PortalClaimVaspInfo: 'ClaimVaspInfo',
  ClaimedData: 'AnswerClaim',
  PatchPartnerTransaction: 'PatchTransaction',
};

/** The description of a field of a named schema; undefined if the glossary has none. */
export function describeField(schemaName: string, field: string): string | undefined {
  return (
    GLOSSARY[`${schemaName}.${field}`] ?? GLOSSARY[`${EXTENDED[schemaName]}.${field}`] ?? GLOSSARY[field]
  );
}

/** The path parameter of this name as the glossary has it, by the path up to it. */
export function pathParameter(path: string, name: string): (typeof PATH_PARAMETERS)[string] | undefined {
  const parameter = `{${name}}`;
  return PATH_PARAMETERS[path.slice(0, path.indexOf(parameter)) + parameter];
}

/** The description of a query parameter; undefined if the glossary has none. */
export function describeQuery(name: string): string | undefined {
  return QUERY_PARAMETERS[name];
}
