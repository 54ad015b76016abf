import { z } from 'zod';
import { readDeployment } from '../../db/metrics/read-deployment.ts';
import { readFigures } from '../../db/metrics/read-figures.ts';
import { defineEndpoint } from '../endpoint.ts';
import { PRODUCT_VERSION } from '../../domain/product-version.ts';

const DeploymentMigrations = z
  .strictObject({
    latest: z.string().nullable().describe('The name of the latest one; null without any.'),
    applied: z.int().describe('How many have run.'),
    missing: z.array(z.string()).describe('Those of this version that have not run.'),
  })
  .meta({ id: 'DeploymentMigrations' });

const DeploymentList = z
  .strictObject({
    code: z.string().describe('The code of the list.'),
    entries: z.int().describe('Entries of the active version.'),
    ageSeconds: z
      .number()
      .nullable()
      .describe('Seconds since the active version was last known to be the newest; null without one.'),
    rejected: z.int().describe('Versions that did not pass a check, ever.'),
  })
  .meta({ id: 'DeploymentList' });

const DeploymentWorker = z
  .strictObject({
    identity: z.string().describe('Process and host of the worker.'),
    lastSeenAt: z.iso.datetime().nullable().describe('When it asked for tasks last.'),
  })
  .meta({ id: 'DeploymentWorker' });

const DeploymentQueue = z
  .strictObject({
    name: z.string().describe('The name of the task queue.'),
    workers: z.array(DeploymentWorker).describe('The workers that asked for its tasks within minutes.'),
  })
  .meta({ id: 'DeploymentQueue' });

const DeploymentBacklog = z
  .strictObject({
    kind: z.string().describe('The kind of row.'),
    count: z.int().describe('Rows whose workflow should have moved them a minute ago; counted to 10,000.'),
  })
  .meta({ id: 'DeploymentBacklog' });

const Deployment = z
  .strictObject({
    version: z.string().describe('The version of the api.'),
    postgresVersion: z.string().describe('The version of PostgreSQL.'),
    environment: z.enum(['sandbox', 'production']),
    degraded: z.array(z.string()).describe('Parts that have failed without making the API unusable.'),
    migrations: DeploymentMigrations,
    tenants: z.int().describe('Number of tenants.'),
    suspendedTenants: z.int().describe('Number of suspended tenants.'),
    partners: z.int().describe('Number of partners.'),
    lists: z.array(DeploymentList).describe('The sanctions lists.'),
    queues: z
      .array(DeploymentQueue)
      .nullable()
      .describe('The task queues with their workers; null while Temporal does not answer.'),
    waitingForRelay: z.int().describe('Entries of the outbox that wait for the relay; counted to 10,000.'),
    relayLagSeconds: z.number().describe('Age of the oldest of them.'),
    overdue: z.array(DeploymentBacklog).describe('Rows without a workflow, by kind.'),
    oldestWebhookSeconds: z
      .number()
      .describe(
        'Age of the oldest webhook that has not arrived; 0 without one. Suspended tenants do not count.',
      ),
  })
  .meta({ id: 'Deployment' });

export const getDeploymentEndpoint = defineEndpoint({
  operationId: 'getDeployment',
  method: 'GET',
  path: '/operator/deployment',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'Read the state of the deployment',
  description: 'Versions, migrations, lists, queues and workers on one page; nothing of what tenants store.',
  responses: { 200: { description: 'The state now.', schema: Deployment } },
  errors: [],
  async handle(_request, { db, settings, isReady, readQueues }) {
    const [deployment, figures, { degraded }, queues] = await Promise.all([
      readDeployment(db.pool),
      readFigures(db.pool),
      isReady(),
      readQueues(),
    ]);
    const { outbox, rowsWithoutWorkflow, oldestUndelivered, sanctionsLists } = figures;
    const body = {
      version: PRODUCT_VERSION,
      environment: settings.ENVIRONMENT,
      ...deployment,
      degraded,
      lists: sanctionsLists,
      queues,
      waitingForRelay: outbox.rows,
      relayLagSeconds: outbox.lagSeconds,
      overdue: Object.entries(rowsWithoutWorkflow).map(([kind, count]) => ({ kind, count })),
      oldestWebhookSeconds: Math.max(0, ...oldestUndelivered.map(({ seconds }) => seconds)),
    };
    return { status: 200, body };
  },
});
