import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Vault } from '../vault/vault.ts';

/** The channel of PostgreSQL on which erased tenants are told. */
export const ERASED_CHANNEL = 'tenant_erased';

/** A lost connection is opened again after so long; meanwhile no keys are kept. */
const AGAIN_AFTER_MS = 1_000;

interface Following {
  /** Resolves when the first connection listens. */
  started: Promise<void>;
  stop: () => Promise<void>;
}

/**
 * Drops the cached keys of a tenant as soon as it is erased, by whatever process. What is told while the connection is lost would
 * be missed, so all keys are dropped then, and once more when it is back.
 */
export function followErasures(
  url: string,
  vault: Pick<Vault, 'dropTenant' | 'dropTenants'>,
  onTrouble: (error: Error) => void,
): Following {
  const stopping = new AbortController();
  let client: pg.Client | undefined;
  let began: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    began = resolve;
  });
  const listen = async () => {
    client = new pg.Client({ connectionString: url, keepAlive: true });
    const ended = new Promise<void>((resolve) => client?.once('end', resolve));
    client.on('error', onTrouble);
    client.on('notification', ({ payload }) => {
      if (payload) vault.dropTenant(payload);
    });
    try {
      await client.connect();
      await client.query(`listen ${ERASED_CHANNEL}`);
      vault.dropTenants();
      began();
      await ended;
    } finally {
      vault.dropTenants();
      await client.end().catch(() => undefined);
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await listen().catch(onTrouble);
      // Aborted: the process stops.
      await delay(AGAIN_AFTER_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    started,
    async stop() {
      stopping.abort();
      await client?.end().catch(() => undefined);
      await running;
    },
  };
}
