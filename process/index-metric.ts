import { Gauge, type Registry } from 'prom-client';

interface IndexAge {
  /** How long the process has lacked an active list or its version, in milliseconds. */
  behindMs: () => number;
}

/** Registers how long the process has not had the active sanctions lists in memory: transfers wait meanwhile. */
export function registerIndexMetric(registry: Registry, screener: IndexAge): void {
  new Gauge({
    name: 'waybill_sanctions_index_behind_seconds',
    help: 'How long this process has lacked the active version of a sanctions list in memory; 0 when it has them all.',
    registers: [registry],
    collect() {
      this.set(screener.behindMs() / 1_000);
    },
  });
}
