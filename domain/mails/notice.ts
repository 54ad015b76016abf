interface WebhookDisabled {
  kind: 'WEBHOOK_DISABLED';
  /** The host of the webhook URL; path and query may hold secrets. */
  host: string;
}

interface WebhookUrlChanged {
  kind: 'WEBHOOK_URL_CHANGED';
  hostBefore: string;
  /** Null if no webhooks are sent any more. */
  host: string | null;
}

interface EmailChanged {
  kind: 'EMAIL_CHANGED';
  /** The domain of the address that mails go to from now on; null for the administrators. */
  domain: string | null;
}

interface KeyEnding {
  kind: 'KEY_ENDING';
  keyId: string;
  keyName: string | null;
  expiresAt: Date;
}

interface SignInFromNewAddress {
  kind: 'SIGN_IN_FROM_NEW_ADDRESS';
  /** The name of the user, or words with their id. */
  user: string;
  /** The IP address of the client, or its network. */
  address: string;
  signedInAt: Date;
}

/** A notice to a tenant by mail. */
export type UserNotice =
  WebhookDisabled | WebhookUrlChanged | EmailChanged | KeyEnding | SignInFromNewAddress;

/** The mail that tells a notice. */
export function noticeMail(tenantName: string, notice: UserNotice): { subject: string; text: string } {
  const { subject, lines } = textOf(notice);
  return { subject: `${tenantName}: ${subject}`, text: `${lines.join('\n\n')}\n` };
}

interface NoticeText {
  subject: string;
  lines: string[];
}

function textOf(notice: UserNotice): NoticeText {
  switch (notice.kind) {
    case 'WEBHOOK_DISABLED':
      return webhookDisabled(notice);
    case 'WEBHOOK_URL_CHANGED':
      return webhookUrlChanged(notice);
    case 'EMAIL_CHANGED':
      return emailChanged(notice);
    case 'KEY_ENDING':
      return keyEnding(notice);
    case 'SIGN_IN_FROM_NEW_ADDRESS':
      return signInFromNewAddress(notice);
  }
}

function webhookDisabled({ host }: WebhookDisabled): NoticeText {
  return {
    subject: 'webhooks are switched off',
    lines: [
      `The webhook endpoint at ${host} answered 410 Gone, so nothing is sent there any more.`,
      'Set webhookUrl again (PATCH /tenant/me) to switch webhooks on. What was not sent can be delivered again.',
    ],
  };
}

const IF_NONE_OF_YOU =
  'If none of you did this, revoke the API keys with the role ADMIN and change the passwords of administrators.';

function webhookUrlChanged({ hostBefore, host }: WebhookUrlChanged): NoticeText {
  return {
    subject: 'the address of webhooks was changed',
    lines: [
      host === null
        ? `Webhooks went to ${hostBefore}; now none are sent.`
        : `Webhooks went to ${hostBefore}; now they go to ${host}, signed with a new secret.`,
      IF_NONE_OF_YOU,
    ],
  };
}

function emailChanged({ domain }: EmailChanged): NoticeText {
  return {
    subject: 'the e-mail address was changed',
    lines: [
      domain === null
        ? 'Mails like this one went to you; from now on they go to the administrators.'
        : `Mails like this one went to you; from now on they go to another address, at ${domain}.`,
      IF_NONE_OF_YOU,
    ],
  };
}

function keyEnding({ keyId, keyName, expiresAt }: KeyEnding): NoticeText {
  return {
    subject: 'an API key ends soon',
    lines: [
      `The API key ${keyName === null ? keyId : `"${keyName}" (${keyId})`} ends at ${expiresAt.toISOString()}.`,
      'Make a new one (POST /tenant/me/api-keys) and give it to the program that uses this one.',
    ],
  };
}

function signInFromNewAddress({ user, address, signedInAt }: SignInFromNewAddress): NoticeText {
  return {
    subject: 'a sign-in from a new address',
    lines: [
      `${user} signed in at ${signedInAt.toISOString()} from ${shortened(address)}, an address that was not seen before.`,
      'If it was somebody else, change the password of this user, or disable the user (PATCH /users/{id}).',
    ],
  };
}

/** The first half of an IP address, enough to recognise a network. */
function shortened(address: string): string {
  const separator = address.includes(':') ? ':' : '.';
  return [...address.split(separator).slice(0, 2), '…'].join(separator);
}
