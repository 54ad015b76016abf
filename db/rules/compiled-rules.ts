import { LRUCache } from 'lru-cache';
import { compileRules, type CompiledRules } from '../../domain/rules/compile.ts';
import { contentHash } from '../../domain/rules/content-hash.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';

/** In rules of all kept sets together; a rule with its leaves takes some 20 KB. */
const KEPT_RULES = 5_000;

// By content, which tells nothing that the holder of the same rules does not know: right in every process, for ever.
const kept = new LRUCache<string, CompiledRules>({
  maxSize: KEPT_RULES,
  sizeCalculation: ({ rules }) => rules.length + 1,
});

/** The compiled form of rules whose content has this hash, if it was made before. */
export function findCompiled(hash: Buffer): CompiledRules | undefined {
  return kept.get(hash.toString('hex'));
}

/** The compiled form of a stored draft, whose content is never hashed: a revision is given to one content only. */
export function compiledDraft(ruleSet: RuleSet, id: string, revision: number): CompiledRules {
  return compiledAs(`${id}/${revision}`, ruleSet);
}

/** The compiled form of rules; equal rules are compiled once. */
export function compiledOf(ruleSet: RuleSet, hash: Buffer = contentHash(ruleSet)): CompiledRules {
  return compiledAs(hash.toString('hex'), ruleSet);
}

function compiledAs(name: string, ruleSet: RuleSet): CompiledRules {
  const found = kept.get(name);
  if (found) return found;
  const compiled = compileRules(ruleSet);
  kept.set(name, compiled);
  return compiled;
}
