import { z } from 'zod';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { notFound } from '../../domain/errors.ts';
import { TrpExtensions, TrpIdentity, TrpVersion } from '../../domain/trp/messages.ts';
import {
  CERTIFICATE_HEADER,
  NO_CERTIFICATE,
  TRANSFER_EXTENSION,
  TRP_VERSION,
} from '../../domain/trp/protocol.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireTrp } from './trp-request.ts';

const TAG = 'Travel Rule Protocol';
const ERRORS = ['not_found', 'rate_limited'] as const;

export const getTrpIdentityEndpoint = defineEndpoint({
  operationId: 'getTrpIdentity',
  method: 'GET',
  path: '/identity',
  auth: 'NONE',
  limit: 'TRP',
  tag: TAG,
  summary: 'Read which VASP this is',
  description:
    'By the host that the caller has asked (`TRP_HOSTS`); 404 for every other host, and while the tenant is suspended.',
  query: z.looseObject({}),
  responses: { 200: { description: 'The VASP of this host.', schema: TrpIdentity } },
  errors: ERRORS,
  async handle({ header }, { db, settings }) {
    requireTrp(settings);
    const tenantId = tenantOfHost(settings.TRP_HOSTS, header('Host') ?? '');
    if (tenantId === undefined) throw notFound('VASP');
    const { tenant } = await getTenant(db, tenantId);
    if (tenant.suspendedAt !== null) throw notFound('VASP');
    const { legalName, name, lei } = tenant;
    const x509 = settings.TRP_TLS_CERT;
    const identity = { name: legalName ?? name, ...(lei !== null && { lei }), ...(x509 && { x509 }) };
    return { status: 200, body: identity };
  },
});

/** The entry of the host with its port counts before that of the host alone. */
function tenantOfHost(hosts: ReadonlyMap<string, string>, host: string): string | undefined {
  const given = host.toLowerCase();
  return hosts.get(given) ?? hosts.get(given.replace(/:\d+$/, ''));
}

export const getTrpVersionEndpoint = defineEndpoint({
  operationId: 'getTrpVersion',
  method: 'GET',
  path: '/version',
  auth: 'NONE',
  limit: 'TRP',
  tag: TAG,
  summary: 'Read the version of TRP',
  query: z.looseObject({}),
  responses: {
    200: {
      description: 'The version that is spoken.',
      schema: TrpVersion,
      headers: {
        [CERTIFICATE_HEADER]: `SHA-256 (hex) of the client certificate that was verified for this request, or \`${NO_CERTIFICATE}\`.`,
      },
    },
  },
  errors: ERRORS,
  handle: async ({ certificate }, { settings }) => {
    requireTrp(settings);
    const headers = { [CERTIFICATE_HEADER]: certificate()?.fingerprint ?? NO_CERTIFICATE };
    return { status: 200, headers, body: { version: TRP_VERSION, vendor: 'Waybill' } };
  },
});

export const getTrpExtensionsEndpoint = defineEndpoint({
  operationId: 'getTrpExtensions',
  method: 'GET',
  path: '/extensions',
  auth: 'NONE',
  limit: 'TRP',
  tag: TAG,
  summary: 'Read the extensions of TRP that are understood',
  description: `\`${TRANSFER_EXTENSION}\` carries the exact amount, the ticker and the chain; none is required.`,
  query: z.looseObject({}),
  responses: { 200: { description: 'The extensions.', schema: TrpExtensions } },
  errors: ERRORS,
  handle: async (_request, { settings }) => {
    requireTrp(settings);
    return { status: 200, body: { required: [], supported: [TRANSFER_EXTENSION] } };
  },
});

export const getTrpUptimeEndpoint = defineEndpoint({
  operationId: 'getTrpUptime',
  method: 'GET',
  path: '/uptime',
  auth: 'NONE',
  limit: 'TRP',
  tag: TAG,
  summary: 'Read for how long the process has run',
  query: z.looseObject({}),
  responses: { 200: { description: 'Whole seconds, as text.', contentType: 'text/plain' } },
  errors: ERRORS,
  handle: async (_request, { settings }) => {
    requireTrp(settings);
    const body = Buffer.from(String(Math.floor(process.uptime())));
    return { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body };
  },
});
