import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isAllowedHost, mayDial, mayRequest } from '../domain/outgoing-hosts.ts';
import { HttpFault } from './http-fault.ts';

/**
 * Where a client may connect to. ANYWHERE is for addresses that the operator configured. Addresses that tenants or peers
 * choose must be public; `allowedHosts` are the exceptions that the operator made.
 */
export type ReachableAddresses = 'ANYWHERE' | { allowedHosts: readonly string[] };

export interface LookupOptions {
  reach: ReachableAddresses;
  /** All addresses of a host name; by default those of the name servers, or of the system for hosts of the operator. */
  resolve?: (hostname: string) => Promise<readonly string[]>;
}

/**
 * Whether a request to this URL may begin. An address that is written in the URL is judged here: no name is looked up for
 * it, so that the look-up never sees it.
 */
export function isInReach(url: URL, reach: ReachableAddresses): boolean {
  return reach === 'ANYWHERE' || mayRequest(url, reach.allowedHosts);
}

/**
 * The look-up of connections to this origin. Exactly the addresses that were judged are dialled, so that a name server that
 * answers differently the next time reaches nothing. Fails with HttpFault DNS_FAILED or ADDRESS_NOT_ALLOWED.
 */
export function checkedLookup(origin: URL, options: LookupOptions): LookupFunction {
  return (hostname, _options, callback) => {
    addressesOf(hostname, origin, options).then(
      (addresses) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      (error: unknown) => callback(error instanceof HttpFault ? error : new HttpFault('DNS_FAILED'), []),
    );
  };
}

async function addressesOf(
  hostname: string,
  origin: URL,
  { reach, resolve }: LookupOptions,
): Promise<readonly string[]> {
  const addresses = await (resolve ?? resolverFor(origin, reach))(hostname);
  if (addresses.length === 0) throw new HttpFault('DNS_FAILED');
  if (!addresses.every((address) => isIP(address) !== 0 && isInReachOf(reach, address, origin))) {
    throw new HttpFault('ADDRESS_NOT_ALLOWED');
  }
  return addresses;
}

function isInReachOf(reach: ReachableAddresses, address: string, origin: URL): boolean {
  return reach === 'ANYWHERE' || mayDial(address, origin, reach.allowedHosts);
}

function resolverFor(origin: URL, reach: ReachableAddresses): (hostname: string) => Promise<string[]> {
  const isOperators = reach === 'ANYWHERE' || isAllowedHost(origin, reach.allowedHosts);
  return isOperators ? resolveBySystem : resolveByNameServer;
}

// Off the thread pool: there, four names of a slow name server would hold up every other look-up of the process.
async function resolveByNameServer(hostname: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 });
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

// The operator's hosts may be known to the hosts file or a search domain only, which name servers know nothing of. They
// are few and nobody else chooses them, so that the thread pool is safe from them.
async function resolveBySystem(hostname: string): Promise<string[]> {
  return (await lookup(hostname, { all: true })).map(({ address }) => address);
}
