import type { TestApiOptions } from '../api-client.ts';
import { selfSigned } from './self-signed.ts';

/** The settings of a deployment in production that speaks TRP over TLS on this machine. */
export function trpOverTls(own: { cert: string; key: string }, trusted: readonly { cert: string }[]) {
  return {
    ENVIRONMENT: 'production',
    HOST: '127.0.0.1',
    WEBHOOK_ALLOWED_HOSTS: ['localhost'],
    TRP_TLS_PORT: 0,
    TRP_TLS_CERT: own.cert,
    TRP_TLS_KEY: own.key,
    TRP_TLS_CA: trusted.map(({ cert }) => cert).join(''),
  } as const satisfies TestApiOptions['config'];
}

/** A certificate of this machine. */
export const localCertificate = () => selfSigned('localhost', new Date('2035-01-01'));
