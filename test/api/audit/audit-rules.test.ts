import { z } from 'zod';
import type { Endpoint } from '../../../api/endpoint.ts';
import { endpointsOf } from '../../../api/endpoints.ts';
import { auditDuty, defaultAuditRule } from '../../../domain/audit/rule.ts';

const endpoints = endpointsOf('sandbox');
const named = (wanted: (endpoint: Endpoint) => boolean) =>
  endpoints.filter(wanted).map(({ operationId }) => operationId);

/** Fields that are about a person, or show what a tenant keeps to itself. */
const PERSONAL =
  /^(originator|beneficiary|email|firstName|lastName|dateOfBirth|placeOfBirth|holderName|legalName|user|userId|apiKey|note|subject|metadata)$/;
/** The business register of VASPs and the lists that come with the product are public. */
const PUBLIC = /^(Entity|DetailedEntity|OperatorEntity|OperatorListedEntity|EntityLookup)/;

/** All field names in the answers of an endpoint, with those of the schemas that they contain. */
function fieldsOf({ responses }: Endpoint): string[] {
  const found = new Set<string>();
  const walk = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const properties: unknown = Reflect.get(schema, 'properties');
    if (typeof properties === 'object' && properties !== null)
      Object.keys(properties).forEach((name) => found.add(name));
    for (const [name, part] of Object.entries(schema)) if (!PUBLIC.test(name)) walk(part);
  };
  for (const { schema } of Object.values(responses))
    if (schema) walk(z.toJSONSchema(schema, { reused: 'inline', unrepresentable: 'any', cycles: 'ref' }));
  return [...found];
}

/** True if an answer is a file of a tenant, or has a field that is personal. */
const readsPersonalData = (endpoint: Endpoint): boolean =>
  Object.values(endpoint.responses).some(({ contentType }) => contentType === 'application/octet-stream') ||
  fieldsOf(endpoint).some((field) => PERSONAL.test(field));

test('the walk sees what is personal', () => {
  const found = named(readsPersonalData);
  expect(found).toEqual(
    expect.arrayContaining([
      'listTransactions',
      'getTransaction',
      'listUsers',
      'listApiKeys',
      'downloadFile',
      'signIn',
    ]),
  );
  expect(found).not.toContain('listBlockchains');
});

test('no endpoint reads personal data without the audit log', () => {
  // A partner reads its own profile, and a logo is there to be seen. Of the e-mail portal the event log of the message has each
  // opening, and who has confirmed the destination.
  const silent = ({ audit, auth, portal, operationId }: Endpoint) =>
    audit === 'NOTHING' && auth !== 'PARTNER' && portal === null && operationId !== 'getHostedPicture';
  expect(named((endpoint) => silent(endpoint) && readsPersonalData(endpoint))).toEqual([]);
});

test('an entry is written each time for whatever takes copies away or administers, and for acts of operators', () => {
  const sensitive = ({ auth, method, permission }: Endpoint) =>
    (auth === 'TENANT' && ['EXPORT', 'ADMINISTER'].includes(permission)) ||
    (auth === 'OPERATOR' && method !== 'GET');
  // Seals are about days and hashes, and programs fetch them.
  expect(named((endpoint) => sensitive(endpoint) && endpoint.audit !== 'EACH')).toEqual(['listEventSeals']);
});

test('every request of a user is logged, but for what is the same for every tenant', () => {
  expect(named(({ auth, audit }) => auth === 'TENANT' && audit === 'NOTHING')).toEqual([
    'listBlockchains',
    'listRuleFields',
    'listRuleStarterSets',
    'listEntities',
    'lookupEntity',
    'getEntity',
  ]);
});

test('operators leave an entry with whatever is about a tenant', () => {
  const silent = endpoints.filter(({ auth, audit }) => auth === 'OPERATOR' && audit === 'NOTHING');
  for (const { method, path } of silent)
    expect([method, path]).toEqual(['GET', expect.stringMatching(/^\/operator\/(lists|entities|labels)\b/)]);
});

test('whoever is not signed in leaves entries where an account or a file is meant', () => {
  expect(named(({ audit }) => audit === 'OWN')).toEqual([
    'downloadFile',
    'signIn',
    'refreshTokens',
    'logOut',
    'startPageSession',
    'endPageSession',
    'requestPasswordReset',
    'setPassword',
    'downloadReport',
    'downloadExport',
  ]);
});

test('an endpoint that declares nothing is logged', () => {
  const rule = (auth: string, method: string, permission: Endpoint['permission']) =>
    defaultAuditRule({ auth, method, permission });
  expect(rule('TENANT', 'GET', 'READ')).toBe('READ');
  expect(rule('TENANT', 'POST', 'DECIDE')).toBe('CHANGE');
  expect(rule('TENANT', 'GET', 'EXPORT')).toBe('EACH');
  expect(rule('OPERATOR', 'GET', 'READ')).toBe('EACH');
  expect(rule('PARTNER', 'GET', 'READ')).toBe('NOTHING');
  expect(
    (['NOTHING', 'READ', 'WATCH', 'CHANGE', 'EACH'] as const).map((each) => auditDuty(each, 'API_KEY')),
  ).toEqual(['NOTHING', 'COUNT', 'COUNT', 'NOTHING', 'ENTRY']);
  expect(
    (['NOTHING', 'READ', 'WATCH', 'CHANGE', 'EACH'] as const).map((each) => auditDuty(each, 'USER')),
  ).toEqual(['NOTHING', 'ENTRY', 'ENTRY_OF_HOUR', 'ENTRY', 'ENTRY']);
});
