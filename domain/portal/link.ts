/** Days for which a link counts. */
export const LINK_DAYS = 14;
/** Minutes for which a one-time code counts. */
export const CODE_MINUTES = 10;
/** Wrong codes that may be tried with one link; after these it is locked. */
export const MAX_CODE_TRIES = 10;
/** Minutes for which a right code opens the message. */
export const SESSION_MINUTES = 60;

/** What links lead to: messages, and claims. */
export const LINK_KINDS = ['TRANSACTION', 'CLAIM'] as const;
type LinkKind = (typeof LINK_KINDS)[number];

/** What a link leads to. */
export interface LinkSubject {
  kind: LinkKind;
  id: string;
}

/** Working days after the last opening on which whoever has not answered is reminded. */
export const ANSWER_REMINDER_DAYS = 3;

/** A link of the e-mail portal, without its address. */
export interface PortalLink {
  id: string;
  /** The tenant that sends the message. */
  tenantId: string;
  /** What it leads to: the tenant's record. */
  subject: LinkSubject;
  createdAt: Date;
  expiresAt: Date;
  /** When another link to the same record took its place. */
  endedAt: Date | null;
  /** Wrong codes that were tried, whatever right ones came between. */
  tries: number;
  /** When a right code first opened it. */
  openedAt: Date | null;
}

/**
 * OPEN: a code may be asked for. EXPIRED, LOCKED, REPLACED: only a new link may, which goes to the same address. LOCKED is a
 * link with which too many wrong codes were tried.
 */
export const LINK_STATES = ['OPEN', 'EXPIRED', 'LOCKED', 'REPLACED'] as const;
export type LinkState = (typeof LINK_STATES)[number];

export function stateOfLink({ endedAt, expiresAt, tries }: PortalLink, now: Date): LinkState {
  if (endedAt !== null) return 'REPLACED';
  if (expiresAt <= now) return 'EXPIRED';
  return tries >= MAX_CODE_TRIES ? 'LOCKED' : 'OPEN';
}

/** A mailbox as whoever holds a link may see it: enough to recognise one's own, too little to learn it. */
export function addressHint(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}…${address.slice(at)}`;
}
