import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Some proxies write the port of the connection too, which a caller changes at will. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

type Addressed = Pick<Request, 'ip' | 'socket'>;

/** The address of the caller; undefined where a proxy names something that is no address, or nothing. */
export function callerIp({ ip = '' }: Pick<Request, 'ip'>): string | undefined {
  const { v4, v6 } = WITH_PORT.exec(ip)?.groups ?? {};
  const address = v6 ?? v4 ?? ip;
  return isIP(address) > 0 ? address : undefined;
}

/**
 * The address by which callers are counted: of IPv6 the network of 56 bits, since a customer has that many. What a proxy
 * names and is no address counts as the proxy itself.
 */
export function addressOf(request: Addressed): string {
  return ipKeyGenerator(callerIp(request) ?? request.socket.remoteAddress ?? '');
}
