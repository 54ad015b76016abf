import type { Pool } from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';
import { readFigures, type DatabaseFigures } from '../db/metrics/read-figures.ts';
import { rememberAnswer } from './remember-answer.ts';

interface MetricSample {
  labels?: Record<string, string>;
  value: number;
}

interface DatabaseMetric {
  type: typeof Gauge | typeof Counter;
  name: string;
  help: string;
  label?: string;
  samples: (figures: DatabaseFigures) => MetricSample[];
}

const METRICS: readonly DatabaseMetric[] = [
  {
    type: Gauge,
    name: 'waybill_oldest_undelivered_webhook_seconds',
    help: 'Age of the oldest webhook of a tenant that has not arrived; tenants without one are left out.',
    label: 'tenant',
    samples: ({ oldestUndelivered }) =>
      oldestUndelivered.map(({ tenantId, seconds }) => ({ labels: { tenant: tenantId }, value: seconds })),
  },
  {
    type: Gauge,
    name: 'waybill_outbox_lag_seconds',
    help: 'How long the oldest row of the outbox has waited for its workflow to be notified.',
    samples: ({ outbox }) => [{ value: outbox.lagSeconds }],
  },
  {
    type: Gauge,
    name: 'waybill_outbox_rows',
    help: 'Rows whose workflow has not been notified yet, counted up to 10,000.',
    samples: ({ outbox }) => [{ value: outbox.rows }],
  },
  {
    type: Gauge,
    name: 'waybill_rows_without_workflow',
    help: 'Rows overdue by more than a minute, which have lost their workflow, counted up to 10,000.',
    label: 'kind',
    samples: ({ rowsWithoutWorkflow }) =>
      Object.entries(rowsWithoutWorkflow).map(([kind, value]) => ({ labels: { kind }, value })),
  },
  {
    type: Counter,
    name: 'waybill_webhook_deliveries_total',
    help: 'Webhooks by what became of them: delivered, failed (an attempt that is repeated), gave_up.',
    label: 'outcome',
    samples: ({ webhookOutcomes }) =>
      webhookOutcomes.map(({ outcome, total }) => ({ labels: { outcome }, value: total })),
  },
  {
    type: Gauge,
    name: 'waybill_sanctions_list_age_seconds',
    help: 'Since the active version of the list was last known to be the newest; lists without one are left out.',
    label: 'list',
    samples: ({ sanctionsLists }) =>
      sanctionsLists.flatMap(({ code, ageSeconds }) =>
        ageSeconds === null ? [] : [{ labels: { list: code }, value: ageSeconds }],
      ),
  },
  {
    type: Gauge,
    name: 'waybill_sanctions_list_entries',
    help: 'Subjects in the active version of the list.',
    label: 'list',
    samples: ({ sanctionsLists }) =>
      sanctionsLists.map(({ code, entries }) => ({ labels: { list: code }, value: entries })),
  },
  {
    type: Counter,
    name: 'waybill_sanctions_updates_rejected_total',
    help: 'Versions of the list that did not pass a gate.',
    label: 'list',
    samples: ({ sanctionsLists }) =>
      sanctionsLists.map(({ code, rejected }) => ({ labels: { list: code }, value: rejected })),
  },
  {
    type: Gauge,
    name: 'waybill_guarded_rule_configurations',
    help: 'Rule configurations whose published version blocks so much that its blocks have become reviews.',
    samples: ({ guardedRules }) => [{ value: guardedRules }],
  },
  {
    type: Gauge,
    name: 'waybill_unsent_mails',
    help: 'Mails of the last 24 hours that the mail server refused or did not take in time, counted up to 10,000.',
    samples: ({ unsentMails }) => [{ value: unsentMails }],
  },
];

/** For this time figures are told that were read before, and no read begins while another one is under way. */
const FRESH_MS = 5_000;

/**
 * Registers what operators alert on. The figures are those of the whole deployment, so every process reports the
 * same ones. While the database cannot be reached they are left out; those of the process stay.
 */
export function registerDatabaseMetrics(registry: Registry, pool: Pool, freshMs = FRESH_MS): void {
  const registers = [registry];
  const read = rememberAnswer(freshMs, async () => await readFigures(pool).catch(() => undefined));
  new Gauge({
    name: 'waybill_database_up',
    help: '1 when the figures of the database could be read, else 0.',
    registers,
    async collect() {
      this.set((await read()) ? 1 : 0);
    },
  });
  new Gauge({
    name: 'waybill_database_pool_waiting',
    help: 'Statements of this process that wait for a database connection.',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  for (const { type: Metric, name, help, label, samples } of METRICS) {
    const metric = new Metric({
      name,
      help,
      registers,
      labelNames: label ? [label] : [],
      async collect() {
        const figures = await read();
        metric.reset();
        if (!label) metric.remove();
        for (const { labels = {}, value } of figures ? samples(figures) : []) metric.inc(labels, value);
      },
    });
  }
}
