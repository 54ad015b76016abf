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

interface PortWish {
  name: PortName;
  /** The name in messages to the user. */
  label: string;
  /** Tried after the port of the last start; before it when `asked`. */
  usual: number;
  asked?: boolean;
  host?: string;
}

/**
 * Starts servers on the ports of the last start, else on the usual ones, else on free ones, and prints a line when a preferred
 * port is busy. If another program takes a port meanwhile, the start is retried on other ports.
 */
export async function onFreePorts<T>(
  { home, log, asked }: StandaloneRun,
  wishes: readonly PortWish[],
  start: (ports: Record<PortName, number>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const ports = await choose(home, wishes);
    try {
      const started = await start(ports);
      sayChanges(wishes, lastPorts(home), ports, log);
      keepPorts(home, wishes, ports);
      return started;
    } catch (error) {
      if (asked.aborted || attempt === TRIES || !(await anyTaken(wishes, ports))) throw error;
    }
  }
}

async function choose(home: string, wishes: readonly PortWish[]): Promise<Record<PortName, number>> {
  const last = lastPorts(home);
  const ports = { api: 0, postgres: 0, temporal: 0, temporalUi: 0 };
  for (const wish of wishes) ports[wish.name] = await freePort(preferred(wish, last), wish.host);
  return ports;
}

function preferred({ name, usual, asked }: PortWish, last: FreePorts): number[] {
  const before = last[name];
  const order = asked ? [usual, before] : [before, usual];
  return order.filter((port) => port !== undefined).filter((port) => port !== 0);
}

function lastPorts(home: string): FreePorts {
  return readPrivate(join(home, 'ports.json'), FreePorts) ?? {};
}

function keepPorts(home: string, wishes: readonly PortWish[], ports: Record<PortName, number>): void {
  const used = Object.fromEntries(wishes.map(({ name }) => [name, ports[name]]));
  writePrivate(join(home, 'ports.json'), { ...lastPorts(home), ...used });
}

async function anyTaken(wishes: readonly PortWish[], ports: Record<PortName, number>): Promise<boolean> {
  for (const { name, host } of wishes) {
    if ((await freePort([ports[name]], host)) !== ports[name]) return true;
  }
  return false;
}

function sayChanges(
  wishes: readonly PortWish[],
  last: FreePorts,
  ports: Record<PortName, number>,
  log: ProgressLog,
): void {
  for (const wish of wishes) {
    const [wanted] = preferred(wish, last);
    const got = ports[wish.name];
    if (wanted !== undefined && got !== wanted) log(`${wish.label}: port ${wanted} is busy, using ${got}`);
  }
}
