import { DomainError } from '../../domain/errors.ts';
import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import type { Queryable } from '../postgres.ts';

/** Throws conflict when the tenant has no webhook URL or a disabled one. */
export async function requireEndpoint(db: Queryable, tenantId: string): Promise<void> {
  const { rows } = await db.query<{ webhook_url: string | null; webhook_status: EndpointStatus | null }>(
    'select webhook_url, webhook_status from tenants where id = $1',
    [tenantId],
  );
  if (!rows[0]?.webhook_url)
    throw new DomainError('conflict', 'There is no webhook URL: set `webhookUrl` first.');
  if (rows[0].webhook_status === 'DISABLED') {
    throw new DomainError(
      'conflict',
      'The webhook is disabled because its URL answered 410: set `webhookUrl`, even to the same URL, to enable it.',
    );
  }
}
