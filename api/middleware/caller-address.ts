import { isIP } from 'node:net';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';

/** Some proxies write the port of the connection too, which a caller changes at will. */
const WITH_PORT = /^(?:\[(?<v6>[^\]]+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/;

/**
 * The address by which callers are counted: of IPv6 the network of 56 bits, since a customer has that many. What a proxy
 * names and is no address counts as the proxy itself.
 */
export function addressOf({ ip = '', socket }: Pick<Request, 'ip' | 'socket'>): string {
  const { v4, v6 } = WITH_PORT.exec(ip)?.groups ?? {};
  const address = v6 ?? v4 ?? ip;
  return ipKeyGenerator(isIP(address) > 0 ? address : (socket.remoteAddress ?? ''));
}
