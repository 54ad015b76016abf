import { ADMINISTRATION_FIELDS } from './glossary/administration.ts';
import { PATH_PARAMETERS, QUERY_PARAMETERS } from './glossary/parameters.ts';
import { RECORD_FIELDS } from './glossary/records.ts';
import { RULE_FIELDS } from './glossary/rules.ts';
import { SCREENING_FIELDS } from './glossary/screening.ts';
import { TRANSFER_FIELDS } from './glossary/transfers.ts';

/**
 * Descriptions of fields whose schema has none of its own: by `Schema.field`, or by `field` for those that mean the same
 * wherever they stand.
 */
export const GLOSSARY: Readonly<Record<string, string>> = {
  ...RECORD_FIELDS,
  ...TRANSFER_FIELDS,
  ...SCREENING_FIELDS,
  ...RULE_FIELDS,
  ...ADMINISTRATION_FIELDS,
};

/** The description of a field of a named schema; undefined if the glossary has none. */
export function describeField(schemaName: string, field: string): string | undefined {
  return GLOSSARY[`${schemaName}.${field}`] ?? GLOSSARY[field];
}

/**
 * The description of a parameter that its schema does not describe: of a path parameter by the path up to it, of a query
 * parameter by its name. Undefined if the glossary has none.
 */
export function describeParameter(path: string, name: string): string | undefined {
  const upTo = path.indexOf(`{${name}}`);
  return upTo === -1 ? QUERY_PARAMETERS[name] : PATH_PARAMETERS[path.slice(0, upTo) + `{${name}}`];
}
