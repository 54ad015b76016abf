import type { Settings } from '../../process/settings.ts';
import { invalidField } from '../../domain/errors.ts';
import { checkWebhookUrl } from '../../domain/webhooks/endpoint-url.ts';

/** Throws validation_failed at the pointer for a URL that this deployment must not call. Accepts null and undefined. */
export function requireWebhookUrl(
  url: string | null | undefined,
  settings: Settings,
  pointer = '/webhookUrl',
): void {
  if (url === null || url === undefined) return;
  const check = checkWebhookUrl(url, {
    environment: settings.ENVIRONMENT,
    allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
  });
  if (!check.ok) throw invalidField(pointer, check.code, check.message);
}
