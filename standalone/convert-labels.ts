import { createReadStream } from 'node:fs';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'yaml';
import { isUsable } from '../domain/labels/clean-label.ts';
import type { NewLabel } from '../domain/labels/label.ts';
import { readTagPack } from '../readers/labels/read-tag-pack.ts';
import { bundledRow } from '../domain/labels/bundled-row.ts';
import { projectRoot } from './project-root.ts';

/** Packs and sources of tags that were crawled from websites and may not be redistributed. */
const CRAWLED_PACK = /^(?:etherscan-|etherscamdb|walletexplorer)/;
const CRAWLED_SOURCE = /\b(?:etherscan\.io|etherscamdb\.info|walletexplorer\.com)\b/;

/** The labels made of a folder of TagPacks, and counts of the tags left out. */
export interface LabelConversion {
  labels: NewLabel[];
  packs: number;
  crawled: number;
  unusable: number;
  faulty: number;
  repeated: number;
}

/**
 * Reads a folder of TagPacks (`packs/`, `graphsense.actorpack.yaml`) and returns the labels that may be redistributed, each
 * once, in a stable order.
 */
export async function convertLabels(folder: string): Promise<LabelConversion> {
  const nameOf = await readActors(join(folder, 'graphsense.actorpack.yaml'));
  const files = await readdir(join(folder, 'packs'), { recursive: true });
  const done: LabelConversion = { labels: [], packs: 0, crawled: 0, unusable: 0, faulty: 0, repeated: 0 };
  const kept = new Map<string, NewLabel>();
  for (const file of files.filter((name) => name.endsWith('.yaml')).sort()) {
    if (CRAWLED_PACK.test(basename(file))) continue;
    done.packs += 1;
    for await (const read of readTagPack(createReadStream(join(folder, 'packs', file)), nameOf)) {
      for (const { label } of read) takeLabel(kept, label, done);
    }
  }
  const labels = [...kept].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, label]) => label);
  return { ...done, labels };
}

function takeLabel(kept: Map<string, NewLabel>, label: NewLabel | null, done: LabelConversion): void {
  if (!label) done.faulty += 1;
  else if (CRAWLED_SOURCE.test(label.reference ?? '')) done.crawled += 1;
  else if (isUsable(label)) keepBest(kept, label, done);
  else done.unusable += 1;
}

/** Keeps the label with the highest confidence of those with the same address, type and entity. */
function keepBest(kept: Map<string, NewLabel>, label: NewLabel, done: LabelConversion): void {
  const key = [label.addressKey, label.type, label.entityId ?? label.label].join('\t');
  const earlier = kept.get(key);
  if (earlier) done.repeated += 1;
  if (!earlier || label.confidence > earlier.confidence) kept.set(key, label);
}

async function readActors(file: string): Promise<(actor: string) => string | null> {
  const pack = parse(await readFile(file, 'utf8'), { schema: 'failsafe' }) as {
    actors: { id: string; label: string }[];
  };
  const names = new Map(pack.actors.map(({ id, label }) => [id, label]));
  return (actor) => names.get(actor) ?? null;
}

/** `node standalone/prepare.mjs standalone/convert-labels <folder>` writes data/labels/. */
async function main(folder: string | undefined): Promise<void> {
  if (!folder) throw new Error('usage: convert-labels <folder with packs/ and graphsense.actorpack.yaml>');
  const { labels, ...counts } = await convertLabels(folder);
  const target = join(projectRoot, 'data', 'labels');
  const lines = labels.map((label) => `${bundledRow(label)}\n`).join('');
  await writeFile(join(target, 'labels.tsv.gz'), gzipSync(lines, { level: 9 }));
  await copyFile(join(folder, 'LICENSE'), join(target, 'LICENSE'));
  console.log({ labels: labels.length, ...counts });
}

if (process.argv[1] === import.meta.filename) await main(process.argv[2]);
