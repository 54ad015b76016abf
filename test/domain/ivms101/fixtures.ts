import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Ivms101Message, Ivms101Version } from '../../../domain/ivms101/message.ts';
import type { Ivms101Reading } from '../../../domain/ivms101/read-ivms101.ts';
import type { LostField } from '../../../domain/ivms101/lost-fields.ts';
import { projectRoot } from '../../../standalone/project-root.ts';

const folder = join(projectRoot, 'test/fixtures/ivms101');

interface ReadFixture {
  writer: string;
  payload: unknown;
  /** Of a warning only pointer and code. */
  expected: Ivms101Reading;
}

interface WriteFixture {
  what: string;
  message: Ivms101Message;
  payloads: Record<Ivms101Version, unknown>;
  lost: Record<Ivms101Version, LostField[]>;
  warnings: { pointer: string; code: string }[];
}

const fixturesIn = <F>(kind: string): [name: string, fixture: F][] =>
  readdirSync(join(folder, kind))
    .sort()
    .map((file) => [file, JSON.parse(readFileSync(join(folder, kind, file), 'utf8')) as F]);

export const readFixtures = fixturesIn<ReadFixture>('read');
export const writeFixtures = fixturesIn<WriteFixture>('write');

/** The payload of a fixture, to be changed. */
export function payloadOf(name: string): Record<string, unknown> {
  const found = readFixtures.find(([file]) => file === name);
  if (!found) throw new Error(`There is no fixture ${name}.`);
  return structuredClone(found[1].payload) as Record<string, unknown>;
}
