import type { MailContent } from '../../domain/mails/mail.ts';
import { apiUrlOf, sendsMails, type Settings } from '../../process/settings.ts';
import { DomainError } from '../../domain/errors.ts';

/** Throws conflict if this deployment can send no mail: in production a mail that nobody gets must not be promised. */
export function requireMail(settings: Settings): void {
  if (sendsMails(settings)) return;
  throw new DomainError('conflict', 'This deployment sends no e-mail: its operator has set no mail server.');
}

/** The link is a fragment, which no server and no log gets; opening it has no effect. */
function linkOf(settings: Settings, token: string): string {
  return `${apiUrlOf(settings)}/password#${token}`;
}

export function invitationMail(
  settings: Settings,
  { to, tenantName, token }: { to: string; tenantName: string; token: string },
): MailContent {
  return {
    to,
    subject: `You are invited to ${tenantName}`,
    text: `${tenantName} has invited you to its Travel Rule service.\n\nSet your password here within seven days:\n${linkOf(settings, token)}\n\nIf this tells you nothing, do nothing.\n`,
  };
}

export function resetMail(settings: Settings, { to, token }: { to: string; token: string }): MailContent {
  return {
    to,
    subject: 'Your new password',
    text: `Somebody, probably you, asked for a new password.\n\nSet it here within an hour:\n${linkOf(settings, token)}\n\nIf it was not you, do nothing: your password stays.\n`,
  };
}
