import { z } from 'zod';
import { list, port, setting, webUrl } from './setting.ts';

const pem = (kind: string) =>
  z
    .string()
    .regex(new RegExp(`-----BEGIN [A-Z ]*${kind}-----[^]*-----END [A-Z ]*${kind}-----`), 'PEM is expected');
const hostsOfTenants = list.transform((entries, context) => {
  const pairs = entries.map((entry) => /^([^\s:]+(?::\d+)?):([0-9a-f-]{36})$/i.exec(entry));
  if (pairs.every((pair) => pair !== null))
    return new Map(pairs.map(([, host = '', id = '']) => [host.toLowerCase(), id.toLowerCase()]));
  context.addIssue('host:tenantId is expected, several separated by commas');
  return z.NEVER;
});

/** Settings of the Travel Rule Protocol. */
export const trpSettings = {
  TRP_URL: setting(webUrl.optional(), {
    unit: 'http(s) address',
    description: 'address at which other VASPs reach the TRP endpoints, as travel addresses name it',
    otherwise: '`PUBLIC_URL`',
  }),
  TRP_HOSTS: setting(hostsOfTenants.default(new Map()), {
    unit: 'host:tenantId, by comma',
    description: 'which tenant `/identity` names to callers of a host',
    otherwise: '`/identity` is 404',
  }),
  TRP_TLS_PORT: setting(port.optional(), {
    unit: 'port',
    description: 'a listener of its own for TRP, with TLS of both sides; needs the certificate and its key',
    otherwise: "the api's listener",
  }),
  TRP_TLS_CERT: setting(pem('CERTIFICATE').optional(), {
    unit: 'PEM',
    description: 'the certificate of that listener, and of requests to other VASPs; with intermediate ones',
    otherwise: 'requests are sent without a certificate',
  }),
  TRP_TLS_KEY: setting(pem('PRIVATE KEY').optional(), {
    unit: 'PEM',
    description: 'the private key of the certificate',
  }),
  TRP_TLS_CA: setting(pem('CERTIFICATE').optional(), {
    unit: 'PEM',
    description: 'certificate authorities that are trusted for other VASPs, beside those of the system',
  }),
  TRP_CERT_HEADER: setting(
    z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9-]{0,63}$/, 'the name of a header is expected')
      .optional(),
    {
      unit: 'header',
      description:
        "in which the proxy in front names the caller's certificate (PEM, percent-encoded), once it has verified it; needs `TRUST_PROXY`. The proxy must remove it from what callers send",
      otherwise: 'no certificate is taken from a header',
    },
  ),
  RATE_LIMIT_TRP: setting(z.coerce.number().int().min(0).default(600), {
    unit: 'requests per minute; 0: no limit',
    description: 'the endpoints of TRP, for each address in each process',
  }),
};
