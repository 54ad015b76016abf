import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from './free-port.ts';
import { readPrivate, writePrivate } from './home.ts';
import type { ProgressLog } from './progress.ts';
import type { StandaloneRun } from './run.ts';

/** The ports of the last start, stored so that addresses stay the same. */
const FreePorts = z.partialRecord(z.enum(['api', 'postgres', 'temporal', 'temporalUi']), z.number().int());
type FreePorts = z.infer<typeof FreePorts>;
type PortName = keyof FreePorts;

const TRIES = 4;

interface PortPreference {
  name: PortName;
  /** The name in messages to the user. */
  label: string;
  /** Tried after the port of the last start; before it if `isConfigured`. */
  usual: number;
  isConfigured?: boolean;
  host?: string;
}

/**
 * Starts servers on the ports of the last start, else on the usual ones, else on free ones, and prints a line when a preferred
 * port is busy. If another program takes a port meanwhile, the start is retried on other ports.
 */
export async function onFreePorts<T>(
  { home, log, stopping }: StandaloneRun,
  preferences: readonly PortPreference[],
  start: (ports: Record<PortName, number>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choose(home, preferences);
    try {
      const started = await start(ports);
      logChanges(preferences, lastPorts(home), ports, log);
      keepPorts(home, preferences, ports);
      return started;
    } catch (error) {
      const isTaken = saysAddressInUse(error) || (await anyTaken(preferences, ports));
      if (stopping.aborted || attempt === TRIES || !isTaken) throw error;
    }
  }
}

async function choose(
  home: string,
  preferences: readonly PortPreference[],
): Promise<Record<PortName, number>> {
  const last = lastPorts(home);
  const ports = { api: 0, postgres: 0, temporal: 0, temporalUi: 0 };
  for (const preference of preferences)
    ports[preference.name] = await freePort(preferred(preference, last), preference.host);
  return ports;
}

function preferred({ name, usual, isConfigured }: PortPreference, last: FreePorts): number[] {
  const before = last[name];
  const order = isConfigured ? [usual, before] : [before, usual];
  return order.filter((port) => port !== undefined).filter((port) => port !== 0);
}

function lastPorts(home: string): FreePorts {
  return readPrivate(join(home, 'ports.json'), FreePorts) ?? {};
}

function keepPorts(
  home: string,
  preferences: readonly PortPreference[],
  ports: Record<PortName, number>,
): void {
  const used = Object.fromEntries(preferences.map(({ name }) => [name, ports[name]]));
  writePrivate(join(home, 'ports.json'), { ...lastPorts(home), ...used });
}

/** Another start that only looks whether a port is free takes it too short a time to be seen afterwards. */
export function saysAddressInUse(error: unknown): boolean {
  return /address already in use/i.test(String(error));
}

async function anyTaken(
  preferences: readonly PortPreference[],
  ports: Record<PortName, number>,
): Promise<boolean> {
  for (const { name, host } of preferences) {
    if ((await freePort([ports[name]], host)) !== ports[name]) return true;
  }
  return false;
}

function logChanges(
  preferences: readonly PortPreference[],
  last: FreePorts,
  ports: Record<PortName, number>,
  log: ProgressLog,
): void {
  for (const preference of preferences) {
    const [preferredPort] = preferred(preference, last);
    const got = ports[preference.name];
    if (preferredPort !== undefined && got !== preferredPort)
      log(`${preference.label}: port ${preferredPort} is busy, using ${got}`);
  }
}
