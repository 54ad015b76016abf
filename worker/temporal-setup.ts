import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Logger } from 'pino';
import { setTimeout as delay } from 'node:timers/promises';
import { attributes } from '../workflows/contract.ts';

const RETENTION_MS = 30 * 24 * 3_600_000;
const ALREADY_EXISTS = 6;
const SETUP_DEADLINE_MS = 20_000;

/** The server's numbers for attribute types. */
const VALUE_TYPES = { TEXT: 1, KEYWORD: 2, INT: 3, DOUBLE: 4, BOOL: 5, DATETIME: 6, KEYWORD_LIST: 7 };

/**
 * Creates the namespace and the search attributes of workflows if they are missing. Without its attributes a workflow hangs for
 * ever, so no worker polls before this is done. Returns the namespace's id: a different id under the same name means that the
 * server has lost its state.
 */
export async function setUpTemporal(
  connection: Connection,
  namespace: string,
  deadlineMs = SETUP_DEADLINE_MS,
): Promise<string> {
  return await connection.withDeadline(Date.now() + deadlineMs, async () => {
    await ensureNamespace(connection, namespace);
    await ensureAttributes(connection, namespace);
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace });
    return namespaceInfo?.id ?? '';
  });
}

const AGAIN_AFTER_MS = 2_000;

/** Waits without limit until the Temporal server is reachable and set up: the other processes work without it. */
export async function untilTemporalIsSetUp(
  connection: Connection,
  namespace: string,
  log: Logger,
): Promise<void> {
  for (let hasLogged = false; ; hasLogged = true) {
    try {
      await setUpTemporal(connection, namespace);
      return;
    } catch (error) {
      if (!hasLogged) log.warn({ error }, 'Temporal cannot be reached or set up; retrying');
      await delay(AGAIN_AFTER_MS);
    }
  }
}

async function ensureNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION_MS),
    });
  } catch (error) {
    if (!hasCode(error, ALREADY_EXISTS)) throw error;
  }
}

async function ensureAttributes(connection: Connection, namespace: string): Promise<void> {
  const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(attributes).filter((key) => !(key.name in (customAttributes ?? {})));
  if (missing.length === 0) return;
  const searchAttributes = Object.fromEntries(missing.map((key) => [key.name, VALUE_TYPES[key.type]]));
  try {
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes });
  } catch (error) {
    // Another worker has added them meanwhile.
    if (!hasCode(error, ALREADY_EXISTS)) throw error;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
