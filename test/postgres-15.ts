import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { postgresAccount } from '../standalone/postgres-account.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './lasting-port.ts';

/** A server of its own; `url` is that of its superuser, `postgres`. */
export interface TestServer {
  url: string;
  stop: () => Promise<void>;
}

/** Starts a PostgreSQL 15 of an installation on this machine, in which everybody may sign in without a password. */
export async function startPostgres15(binaries: string): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-postgres15-'));
  const account = await postgresAccount(() => undefined);
  if (account) chownSync(folder, account.uid, account.gid);
  const options = {
    ...(account && { uid: account.uid, gid: account.gid }),
    cwd: folder,
    stdio: 'ignore',
  } as const;
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(binaries, 'initdb'), init, options);
  const port = await lastingPort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const given = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(join(binaries, 'postgres'), given, options);
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await eventually(
    async () => await canConnect(url),
    (can) => can,
  );
  return {
    url,
    async stop() {
      const ended = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      await ended;
      if (existsSync(folder)) rmSync(folder, { recursive: true });
    },
  };
}

async function canConnect(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
