import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { foldName } from '../domain/fold.ts';
import { projectRoot } from './project-root.ts';

/**
 * Makes the bundled directory of entities from GraphSense's actor pack:
 * `node standalone/prepare.mjs standalone/convert-actor-pack graphsense.actorpack.yaml`. Run by whoever takes a newer
 * pack; the result is committed, so no deployment needs the pack.
 */

interface Actor {
  id: string;
  label: string;
  uri: string;
  jurisdictions: string[];
  categories: string[];
  aliases?: string[];
  context?: { legal_name?: string; defilama_ids?: string[]; refs?: string[] };
}

interface Row {
  id: string;
  name: string;
  legalName: string;
  type: string;
  countries: string[];
  webpage: string;
  aliases: string[];
  /** The id of the row that this one is a duplicate of; empty for a master. */
  master: string;
}

const FOLDER = join(projectRoot, 'data', 'entities');
const TARGET = join(FOLDER, 'actors.json');
/** Goes into the data itself, so that it is there wherever the data is. */
const LICENSE = join(FOLDER, 'LICENSE-graphsense');

/** Types by category, the riskiest first; the first category that an actor has decides. */
const TYPES: [category: string, type: string][] = [
  ['sanction', 'sanction_list'],
  ['ransomware', 'ransomware'],
  ['dark_web', 'darkweb'],
  ['drugs', 'darkweb'],
  ['weapons', 'darkweb'],
  ['phishing', 'phishing'],
  ['social_engineering', 'scam'],
  ['service_hack', 'hack'],
  ['hacking', 'hack'],
  ['mixing_service', 'mixing_service'],
  ['gambling', 'gambling'],
  ['exchange', 'exchange'],
  ['collectible', 'nft_marketplace'],
  ['market', 'nft_marketplace'],
  ['payment_processor', 'payment_service_provider'],
  ['defi_bridge', 'cross_chain_bridge_protocol'],
  ['defi_dex', 'dex'],
  ['mining_service', 'mining_pool'],
  ['miner', 'mining_pool'],
  ['wallet_service', 'wallet'],
  ['cold_wallet', 'wallet'],
  ['defi_lending', 'decentralized_service'],
  ['defi_derivative', 'decentralized_service'],
  ['defi', 'decentralized_service'],
  ['index', 'decentralized_service'],
];

/** Price services call decentralised exchanges "exchange" too; custodial exchanges are recognised by other data. */
function typeOf({ categories, context }: Actor): string {
  const [, type = 'service'] = TYPES.find(([category]) => categories.includes(category)) ?? [];
  if (type !== 'exchange' || !categories.includes('defi_dex')) return type;
  const keepsCoins =
    context?.legal_name !== undefined ||
    categories.includes('mining_service') ||
    Boolean(context?.defilama_ids?.some((id) => id.endsWith('-cex')));
  return keepsCoins ? 'exchange' : 'dex';
}

const compact = (text: string) => foldName(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
const hostOf = (uri: string) => uri.replace(/^(https?:\/\/)?(www\.)?/, '').replace(/\/.*$/, '');

function rowOf(actor: Actor): Row {
  const { id, label, uri, jurisdictions, context } = actor;
  const isWebpage = URL.canParse(`https://${uri}`) && /^[\w.-]+\.[a-z]{2,}(\/|$)/i.test(uri);
  return {
    id,
    name: label.trim(),
    legalName: context?.legal_name?.trim() ?? '',
    type: typeOf(actor),
    countries: [...new Set(jurisdictions)],
    webpage: isWebpage ? `https://${uri}` : '',
    aliases: [],
    master: '',
  };
}

/** Other ids of an actor are records that were merged into it: each becomes a duplicate that resolves to it. */
function duplicatesOf(actor: Actor, taken: Set<string>): Row[] {
  const spellings = new Map<string, string[]>();
  for (const alias of [actor.id, ...(actor.aliases ?? [])]) {
    const key = compact(alias);
    if (key !== '' && !taken.has(key)) spellings.set(key, [...(spellings.get(key) ?? []), alias]);
  }
  return [...spellings].map(([key, found]) => {
    taken.add(key);
    const names = [...new Set(found.map((alias) => alias.replaceAll(/[_-]+/g, ' ').trim()))];
    const [name = key, ...aliases] = names.sort((a, b) => b.length - a.length);
    return { ...rowOf(actor), id: `${actor.id}/${key}`, name, aliases, master: actor.id };
  });
}

/** Of two actors with one name and one site, the one with fewer sources is the duplicate. */
function linkTwins(rows: Row[], actors: Map<string, Actor>): void {
  const refs = (row: Row) => actors.get(row.id)?.context?.refs?.length ?? 0;
  const siteOf = (row: Row) => `${foldName(row.name)} ${hostOf(actors.get(row.id)?.uri ?? row.id)}`;
  const masters = new Map<string, Row>();
  for (const row of [...rows].sort((a, b) => refs(b) - refs(a))) {
    const master = masters.get(siteOf(row));
    if (master) row.master = master.id;
    else masters.set(siteOf(row), row);
  }
}

function lineOf(row: Row): string {
  const cells = [row.id, row.name, row.legalName, row.type, row.countries.join(';'), row.webpage];
  return [...cells, row.aliases.join(';'), row.master].map((cell) => cell.replaceAll(/\s+/g, ' ')).join('\t');
}

/** The lines of the directory: actors, and a duplicate for each record that was merged into one. */
export function convertPack(pack: { actors: Actor[] }): string[] {
  const actors = new Map(pack.actors.map((actor) => [actor.id, actor]));
  const rows = pack.actors.map(rowOf);
  linkTwins(rows, actors);
  const taken = new Set(rows.map((row) => compact(row.name)));
  const isMaster = new Set(rows.filter((row) => row.master === '').map((row) => row.id));
  const duplicates = pack.actors
    .filter((actor) => isMaster.has(actor.id))
    .flatMap((actor) => duplicatesOf(actor, taken));
  return [...rows, ...duplicates].map(lineOf);
}

function convertFile(source: string | undefined): void {
  if (source === undefined) throw new Error('Name the file of the actor pack.');
  const rows = convertPack(parse(readFileSync(source, 'utf8'), { maxAliasCount: -1 }) as { actors: Actor[] });
  const license = readFileSync(LICENSE, 'utf8').split('\n');
  writeFileSync(TARGET, `${JSON.stringify({ license, rows }, null, 2)}\n`);
  console.log(`${rows.length} entities were written.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) convertFile(process.argv[2]);
