import type { RequestHandler } from 'express';
import type { Settings } from '../process/settings.ts';
import { hostOf, isLoopback } from './loopback.ts';

/** Whether the service can be reached from other machines, as far as its settings tell. */
export function isReachedFromElsewhere({
  HOST,
  PUBLIC_URL,
  TRUST_PROXY,
}: Pick<Settings, 'HOST' | 'PUBLIC_URL' | 'TRUST_PROXY'>): boolean {
  const publicHost = PUBLIC_URL === undefined ? HOST : hostOf(new URL(PUBLIC_URL).host);
  return TRUST_PROXY || !isLoopback(HOST) || !isLoopback(publicHost);
}

/** What a proxy on this machine says of the request that it hands on. */
const FORWARDED = ['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Real-IP'];

/**
 * Lets requests of this machine to a loopback address pass; for others the path is unknown. A name that leads to this machine
 * may be of somebody else's page, so the Host header counts too.
 */
export const ofThisMachine: RequestHandler = (request, _response, next) => {
  const isDirect = FORWARDED.every((name) => request.get(name) === undefined);
  const isHere =
    isLoopback(hostOf(request.get('Host') ?? '')) && isLoopback(request.socket.remoteAddress ?? '');
  next(isDirect && isHere ? undefined : 'route');
};
