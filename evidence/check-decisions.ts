import { mayBeOfUnnamed, namedDecision } from '../db/events/named-decision.ts';
import type { Event } from '../domain/events/event.ts';
import { CoveredDecisionLine, DecisionLine, RulesLine } from '../domain/evidence/lines.ts';
import { contentHash } from '../domain/rules/content-hash.ts';
import { decisionHash } from '../domain/rules/decision-hash.ts';
import type { RuleSet } from '../domain/rules/schema.ts';
import { BrokenLink, readingLine } from './broken-link.ts';
import { numbered } from './numbered.ts';
import type { OpenArchive } from './open-archive.ts';

/** What a log says of the decisions of the rules. */
export interface LoggedDecisions {
  /** By id, the hash that its entry has of it, and the number of the entry. */
  named: Map<string, { hash: string; entry: number }>;
  /** How many entries may have had one that they do not name, as those of earlier versions. */
  unnamed: number;
}

export function noDecisions(): LoggedDecisions {
  return { named: new Map(), unnamed: 0 };
}

/** Adds what an entry says of a decision. */
export function noteDecision(logged: LoggedDecisions, event: Event): void {
  const named = namedDecision(event);
  if (named) logged.named.set(named.id, { hash: named.hash, entry: event.sequence });
  if (mayBeOfUnnamed(event)) logged.unnamed += 1;
}

const PATH = 'decisions.jsonl';

/**
 * The decisions are those that the log names, as they were, numbered without gaps, and the rules of each are there as they
 * were published. Throws BrokenLink.
 */
export async function checkDecisions(archive: OpenArchive, logged: LoggedDecisions): Promise<void> {
  const rules = await readRules(archive);
  const left = new Map(logged.named);
  let unnamed = 0;
  let last = 0;
  for await (const { value, line } of numbered(archive, PATH, (given) => DecisionLine.parse(given))) {
    last = line;
    const { id, sequence, configurationId, version, withheld } = value;
    if (sequence !== line) throw new BrokenLink(`decision ${line} is missing`, PATH, line);
    if (version > 0 && !rules.has(`${configurationId} ${version}`))
      throw new BrokenLink(`version ${version} of the rules is missing`, PATH, line);
    if (withheld) throw new BrokenLink(`the decision was ${withheld} in the deployment`, PATH, line);
    const event = left.get(id);
    left.delete(id);
    unnamed += event ? 0 : 1;
    if (unnamed > logged.unnamed) throw new BrokenLink('is in no entry of the log', PATH, line);
    if (event && isOtherThan(event.hash, value, line))
      throw new BrokenLink(`does not fit the hash in entry ${event.entry} of the log`, PATH, line);
  }
  const [missing] = left.values();
  if (missing)
    throw new BrokenLink(
      `the decision that entry ${missing.entry} of the log names is missing`,
      PATH,
      last + 1,
    );
}

/** Whether the hash is that of another decision. Archives of earlier versions do not have all that it covers. */
function isOtherThan(hash: string, given: object, line: number): boolean {
  if (!('sealedFacts' in given)) return false;
  const {
    id,
    transactionId,
    direction,
    configurationId,
    version,
    decision,
    decidedBy,
    restsOnSanctions,
    spent,
    evaluatedAt,
    sealedFacts: facts,
    sealedTrace: trace,
  } = readingLine(PATH, line, () => CoveredDecisionLine.parse(given));
  const subject = { id, transactionId, direction, configurationId, version };
  const outcome = { decision, decidedBy, restsOnSanctions, spent, evaluatedAt };
  return decisionHash({ ...subject, ...outcome, facts, trace }) !== hash;
}

/** The published versions, which have to fit their hashes, as `configurationId version`. */
async function readRules(archive: OpenArchive): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  const path = 'rules.jsonl';
  for await (const { value, line } of numbered(archive, path, (given) => RulesLine.parse(given))) {
    const hash = contentHash(value as unknown as RuleSet).toString('hex');
    if (hash !== value.contentHash) throw new BrokenLink('the rules do not fit their hash', path, line);
    known.add(`${value.configurationId} ${value.version}`);
  }
  return known;
}
