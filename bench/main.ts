import { cpus, totalmem } from 'node:os';
import { askedToStop } from '../standalone/asked-to-stop.ts';
import type { Log } from '../standalone/progress.ts';
import { measureAcceptRate } from './accept-rate.ts';
import { figureLine, type Figure, type MeasureName } from './figure.ts';
import { layGround, type Ground } from './ground.ts';

/**
 * `npm run bench [-- a] [-- --quick]`: the product's speed as ratios to what the same machine can do at all. So far it
 * measures (a), how fast transactions are accepted.
 */

const MEASURES: Partial<Record<MeasureName, (ground: Ground, quick: boolean) => Promise<Figure[]>>> = {
  a: measureAcceptRate,
};

interface Wish {
  names: MeasureName[];
  quick: boolean;
}

function readArguments(args: readonly string[]): Wish {
  const quick = args.includes('--quick');
  const given = args.filter((arg) => arg !== '--quick');
  const unknown = given.find((arg) => !isMeasure(arg));
  if (unknown !== undefined) {
    throw new Error(
      `There is no measure "${unknown}". npm run bench -- [${Object.keys(MEASURES).join('|')}] [--quick]`,
    );
  }
  const names = given.length > 0 ? given.filter(isMeasure) : Object.keys(MEASURES).filter(isMeasure);
  return { names, quick };
}

function isMeasure(name: string): name is MeasureName {
  return name in MEASURES;
}

const log: Log = (line) => console.log(line);

async function run({ names, quick }: Wish, ground: Ground): Promise<void> {
  const figures: Figure[] = [];
  for (const name of names) figures.push(...((await MEASURES[name]?.(ground, quick)) ?? []));
  const memory = Math.round(totalmem() / 2 ** 30);
  log(
    `\n${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory} GiB, Node ${process.versions.node}`,
  );
  for (const figure of figures) log(figureLine(figure, quick));
}

async function main(): Promise<number> {
  const wish = readArguments(process.argv.slice(2));
  const asked = askedToStop(() => process.exit(1));
  const ground = await layGround(log);
  const stopped = new Promise<number>((resolve) => {
    asked.addEventListener('abort', () => resolve(130));
  });
  try {
    return await Promise.race([run(wish, ground).then(() => 0), stopped]);
  } finally {
    await ground.remove();
  }
}

try {
  process.exit(await main());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
