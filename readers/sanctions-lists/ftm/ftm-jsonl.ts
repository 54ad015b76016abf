import type { ListEntry } from '../../../domain/sanctions/list-entry.ts';
import { EntryDraft } from '../entry-draft.ts';
import { applyLink, ftmLink, type FtmLink } from './ftm-links.ts';
import { ftmObject, hasSanctionTopic, type FtmObject } from './ftm-object.ts';
import { ftmLoneWallet, ftmSubject, ftmWallet, type FtmWallet } from './ftm-subject.ts';
import { jsonLines } from './json-lines.ts';
import type { ListFile } from '../list-text.ts';
import { pushTo } from '../push-to.ts';
import type { ReadingState } from '../reading-state.ts';

/** A subject as bytes: with those of whom only a later line says that they are sanctioned, all have to wait. */
interface FtmSubject {
  packed: Uint8Array;
  isSanctioned: boolean;
}

/** What a file has given so far. */
interface FtmCollection {
  subjects: Map<string, FtmSubject>;
  links: Map<string, FtmLink[]>;
  reading: ReadingState;
}

interface PackedObject {
  entry: ListEntry;
  referents: string[];
}

/**
 * FollowTheMoney objects, one a line, as OpenSanctions publishes them. An object may come before or after what it belongs
 * to, so subjects and what is linked to them are held until the end, packed, up to the limit of what a reading may hold:
 * it is meant for collections of sanctions, not of all that its publisher has.
 */
export async function* readFtmJsonl(file: ListFile, reading: ReadingState): AsyncGenerator<ListEntry> {
  const subjects = new Map<string, FtmSubject>();
  const links = new Map<string, FtmLink[]>();
  for await (const { value, line } of jsonLines(file, reading)) {
    const object = ftmObject(value);
    if (object === undefined) reading.fault(line);
    else take(object, line, { subjects, links, reading });
  }
  markNamedWallets(links);
  const canonical = canonicalIds(subjects, links);
  for (const [id, others] of canonical) for (const link of others) pushTo(links, id, link);
  for (const [id, subject] of subjects) {
    const linked = links.get(id) ?? [];
    if (!subject.isSanctioned && !linked.some(({ isSanction }) => isSanction)) continue;
    const packed = unpack(subject).entry;
    const entry = Object.assign(new EntryDraft(packed.list, packed.sourceId, packed.type), packed);
    for (const link of linked) applyLink(entry, link);
    const finished = entry.finish();
    if (finished === undefined) reading.fault();
    else yield finished;
  }
  for (const wallet of walletsWithoutHolder(subjects, links)) {
    const finished = ftmLoneWallet(wallet, reading.list).finish();
    if (finished === undefined) reading.fault();
    else yield finished;
  }
}

/** A wallet is sanctioned, too, where a Sanction names it. */
function markNamedWallets(links: ReadonlyMap<string, FtmLink[]>): void {
  for (const link of [...links.values()].flat()) {
    if ('addresses' in link && links.get(link.id)?.some((other) => 'listing' in other))
      link.isSanction = true;
  }
}

/** Sanctioned wallets whose holder is not in the file, as in one that was cut to some of its objects. */
function walletsWithoutHolder(
  subjects: ReadonlyMap<string, FtmSubject>,
  links: ReadonlyMap<string, FtmLink[]>,
): FtmWallet[] {
  const held = new Set([...subjects.keys()].flatMap((id) => links.get(id) ?? []));
  const lost = new Set([...links.values()].flat().filter((link) => link.isSanction && !held.has(link)));
  return [...lost].filter((link) => 'addresses' in link);
}

function take(object: FtmObject, line: number, { subjects, links, reading }: FtmCollection): void {
  const link = ftmLink(object);
  // A Sanction may name it.
  const isLone = object.schema === 'CryptoWallet' && link?.targets.length === 0;
  const entry = isLone ? ftmLoneWallet(ftmWallet(object), reading.list) : ftmSubject(object, reading.list);
  if (entry !== undefined) {
    if (subjects.has(object.id)) reading.fault(line);
    else subjects.set(object.id, pack(entry, object, reading));
  } else if (link !== undefined) {
    reading.hold(JSON.stringify(link).length);
    for (const target of link.targets) pushTo(links, target, link);
  }
}

function pack(entry: EntryDraft, object: FtmObject, reading: ReadingState): FtmSubject {
  const packed = Buffer.from(JSON.stringify({ entry, referents: object.referents } satisfies PackedObject));
  reading.hold(packed.length);
  return { packed, isSanctioned: hasSanctionTopic(object) };
}

function unpack({ packed }: FtmSubject): PackedObject {
  return JSON.parse(Buffer.from(packed).toString()) as PackedObject;
}

/** What is linked to a former id of a subject, by the id that it has now. */
function canonicalIds(
  subjects: ReadonlyMap<string, FtmSubject>,
  links: ReadonlyMap<string, FtmLink[]>,
): Map<string, FtmLink[]> {
  const found = new Map<string, FtmLink[]>();
  const lost = new Map([...links].filter(([target]) => !subjects.has(target)));
  if (lost.size === 0) return found;
  for (const [id, subject] of subjects) {
    const linked = unpack(subject).referents.flatMap((referent) => lost.get(referent) ?? []);
    if (linked.length > 0) found.set(id, linked);
  }
  return found;
}
