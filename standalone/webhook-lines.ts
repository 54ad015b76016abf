import type { ArrivedWebhook } from './webhook-server.ts';

interface ShownBody {
  id?: unknown;
  direction?: unknown;
  status?: unknown;
  subStatus?: unknown;
  asset?: unknown;
  amount?: unknown;
  address?: unknown;
  message?: unknown;
  sealed?: unknown;
  clearance?: { outcome?: unknown; nextAction?: unknown; reasons?: unknown };
}

/** A webhook in a few lines for a terminal: its headers, whether its signature is right, what its body says. */
export function webhookLines(
  { path, header, raw }: ArrivedWebhook,
  signer: string | undefined,
  now: Date,
): string[] {
  const of = (name: string) => printable(header(name)) || '-';
  const head = `${now.toISOString().slice(11, 19)}  POST ${printable(path)}  ${of('x-event-type')}`;
  const meta = `event ${of('x-event-id')}, version ${of('x-resource-version')}, attempt ${of('x-delivery-attempt')}`;
  // The body is nobody's word until the signature is right.
  if (signer === undefined) {
    return [head, `  ${meta}`, '  signature WRONG: no known secret signs this body now; answered 401'];
  }
  return [head, `  ${meta}`, `  signature right: the secret of ${printable(signer)}`, ...bodyLines(raw)];
}

function bodyLines(raw: Buffer): string[] {
  const body = JSON.parse(raw.toString()) as ShownBody;
  const { clearance } = body;
  const what = words(
    body.direction,
    [body.status, body.subStatus].filter(Boolean).join('/'),
    body.amount,
    body.asset,
    body.address,
    body.message,
  );
  return [
    `  ${what}`,
    `  id ${printable(String(body.id))}${body.sealed === true ? ', sealed: the parties are hidden' : ''}`,
    ...(clearance ? [`  clearance ${words(clearance.outcome, reasonsOf(clearance.reasons))}`] : []),
    ...(clearance && clearance.nextAction !== 'NONE'
      ? [`  next action ${printable(String(clearance.nextAction))}`]
      : []),
  ];
}

function reasonsOf(reasons: unknown): string {
  return Array.isArray(reasons) && reasons.length > 0 ? `(${reasons.join(', ')})` : '';
}

function words(...given: unknown[]): string {
  const present = given.filter((word) => typeof word === 'string' || typeof word === 'number');
  return printable(present.filter((word) => word !== '').join(' '));
}

/** Without what a terminal would obey. */
function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
}
