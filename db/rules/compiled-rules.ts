import { LRUCache } from 'lru-cache';
import { compileRules, type CompiledRules } from '../../domain/rules/compile.ts';
import { contentHash } from '../../domain/rules/content-hash.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';

/** Maximum number of rules in all cached sets together; a compiled rule takes about 20 KB. */
const KEPT_RULES = 5_000;

// By content hash: an entry is never outdated, and sharing it tells a tenant nothing beyond its own rules.
const kept = new LRUCache<string, CompiledRules>({
  maxSize: KEPT_RULES,
  sizeCalculation: ({ rules }) => rules.length + 1,
});

/** The cached compiled rules with this content hash, if any. */
export function findCompiled(hash: Buffer): CompiledRules | undefined {
  return kept.get(hash.toString('hex'));
}

/**
 * The compiled rules of a stored draft, cached by revision: a revision has one content only, so it need not be
 * hashed.
 */
export function compiledDraft(ruleSet: RuleSet, id: string, revision: number): CompiledRules {
  return compiledAs(`${id}/${revision}`, ruleSet);
}

/** The compiled rules; equal rules are compiled once. */
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
