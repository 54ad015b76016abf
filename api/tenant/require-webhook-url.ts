import type { Config } from '../../process/settings.ts';
import { invalidField } from '../../domain/errors.ts';
import { checkWebhookUrl } from '../../domain/webhooks/endpoint-url.ts';

/** Refuses an address at `/webhookUrl` that may not be called from here; none at all is fine. */
export function requireWebhookUrl(url: string | null | undefined, config: Config): void {
  if (url === null || url === undefined) return;
  const check = checkWebhookUrl(url, {
    environment: config.ENVIRONMENT,
    allowedHosts: config.WEBHOOK_ALLOWED_HOSTS,
  });
  if (!check.ok) throw invalidField('/webhookUrl', check.code, check.message);
}
