import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { webhookBundle, type WebhookSystem } from './webhook-system.ts';

const folder = fileURLToPath(new URL('../histories/webhookDelivery/', import.meta.url));

/**
 * Checks that the history of a delivery's latest run replays. Where none of this name is recorded yet it becomes the
 * recorded one: from the first release on these files stay, since what breaks them would break workflows that run.
 */
export async function keepHistory(system: WebhookSystem, id: string, name: string): Promise<void> {
  const text = historyToJSON(await system.handleOf(id).fetchHistory());
  await replay(text);
  const file = `${folder}${name}.json`;
  if (existsSync(file)) return;
  mkdirSync(folder, { recursive: true });
  // Who ran it is nobody's business.
  writeFileSync(file, text.replace(/"identity": ?"[^"]*"/g, '"identity": "recorded"'));
}

/** Name and content of every recorded history. */
export function recordedHistories(): [name: string, history: string][] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => [name, readFileSync(folder + name, 'utf8')]);
}

/** Fails when today's workflow would not do what the history says. */
export async function replay(history: string): Promise<void> {
  await Worker.runReplayHistory(
    { workflowBundle: await webhookBundle() },
    JSON.parse(history),
    'wh/replayed',
  );
}
