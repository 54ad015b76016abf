import type {
  BacktestRecord,
  BacktestSource,
  BacktestStatus,
  DecisionCounts,
  RuleHits,
} from '../../domain/rules/backtest.ts';
import type { RuleSet } from '../../domain/rules/schema.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

export interface BacktestRow {
  id: string;
  tenant_id: string;
  configuration_id: string;
  status: BacktestStatus;
  source: BacktestSource;
  version: number | null;
  revision: number | null;
  content: Buffer;
  content_hash: Buffer;
  from_at: Date;
  to_at: Date;
  total: number | null;
  processed: number;
  changed: number;
  counts: DecisionCounts;
  rule_hits: Record<string, RuleHits>;
  cursor_at: Date | null;
  cursor_id: string | null;
  created_at: Date;
  finished_at: Date | null;
}

export const BACKTEST_COLUMNS =
  'id, tenant_id, configuration_id, status, source, version, revision, content, content_hash, from_at, to_at, total, ' +
  'processed, changed, counts, rule_hits, cursor_at, cursor_id, created_at, finished_at';

export function toBacktest(row: BacktestRow, keys: TenantKeys): BacktestRecord {
  return {
    id: row.id,
    configurationId: row.configuration_id,
    status: row.status,
    source: row.source,
    version: row.version,
    revision: row.revision,
    ruleSet: keys.open<RuleSet>(sealingContext.backtest.content(row.tenant_id, row.id), row.content),
    contentHash: row.content_hash,
    from: row.from_at,
    to: row.to_at,
    total: row.total,
    processed: row.processed,
    changed: row.changed,
    counts: row.counts,
    ruleHits: row.rule_hits,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}
