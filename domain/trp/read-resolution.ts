import { DomainError } from '../errors.ts';
import { readJson, withoutEmptyTexts } from '../json/read-json.ts';
import { unusableValues } from '../json/unusable-values.ts';
import { checkWebhookUrl, type WebhookUrlRules } from '../webhooks/endpoint-url.ts';
import { TrpResolution } from './messages.ts';

/**
 * The answer in the response to an inquiry. It is checked like one that is posted to the callback: undefined where that would be
 * refused, since it is stored, compared with lists and called in the same way.
 */
export function readResolution(text: string, rules: WebhookUrlRules): TrpResolution | undefined {
  const given = withoutEmptyTexts(valueOf(text));
  if (unusableValues(given).length > 0) return undefined;
  const parsed = TrpResolution.safeParse(given);
  if (!parsed.success) return undefined;
  const callback = parsed.data.approved?.callback ?? null;
  return callback === null || checkWebhookUrl(callback, rules).ok ? parsed.data : undefined;
}

/** Undefined for a text that nobody can read. */
function valueOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
