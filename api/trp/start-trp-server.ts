import type { Settings } from '../../process/settings.ts';
import { createApp } from '../app.ts';
import type { Deps } from '../deps.ts';
import { startServer, type RunningServer } from '../server.ts';
import { trpEndpoints } from './trp-endpoints.ts';

/** Serves TRP on TRP_TLS_PORT, where callers prove who they are by their certificates; nothing without one. */
export async function startTrpServer(settings: Settings, deps: Deps): Promise<RunningServer | undefined> {
  const { HOST, TRP_TLS_PORT, TRP_TLS_CERT: cert, TRP_TLS_KEY: key, TRP_TLS_CA: ca } = settings;
  if (TRP_TLS_PORT === undefined || cert === undefined || key === undefined) return undefined;
  return await startServer({
    app: createApp({ endpoints: trpEndpoints, deps, servesPages: false, isBehindProxy: false }),
    host: HOST,
    port: TRP_TLS_PORT,
    tls: { cert, key, ca },
  });
}
