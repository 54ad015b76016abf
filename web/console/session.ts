import type { Schemas } from './api-types.ts';
import { forgetAllDrafts } from './drafts.ts';
import { exchangeOnce, problemOf, Refusal, renewSessionBy } from './exchange.ts';

export type User = Schemas['User'];
/** UNKNOWN until the first answer; ENDED while a page stays open behind the sign-in. */
type SessionState = 'UNKNOWN' | 'SIGNED_OUT' | 'SIGNED_IN' | 'ENDED';

interface Credentials {
  email: string;
  password: string;
  /** Of the second factor. */
  code?: string;
}

export type Permission = 'READ' | 'DECIDE' | 'EXPORT' | 'ADMINISTER';

/** What the console offers to a role. The service decides anew what it permits. */
const PERMITTED: Readonly<Record<User['role'], readonly Permission[]>> = {
  ADMIN: ['READ', 'DECIDE', 'EXPORT', 'ADMINISTER'],
  COMPLIANCE: ['READ', 'DECIDE', 'EXPORT'],
  AUDITOR: ['READ', 'EXPORT'],
  OBSERVER: ['READ'],
};

/** Tells the other tabs who has signed in. */
const tabs = new BroadcastChannel('console-user');

/** Who works here. The session itself is a cookie that no script can read; the page knows only its user. */
class Session extends EventTarget {
  state: SessionState = 'UNKNOWN';
  user: User | null = null;
  #waiting: (() => void)[] = [];

  /** Finds out whether the cookie counts. */
  async start(): Promise<void> {
    renewSessionBy(async () => await this.#renewed());
    tabs.addEventListener('message', ({ data }) => this.#otherTab(data));
    const answer = await exchangeOnce('GET', '/users/me');
    if (answer.status === 401) return this.#become('SIGNED_OUT');
    if (!answer.ok) throw new Refusal(await problemOf(answer));
    this.user = (await answer.json()) as User;
    this.#become('SIGNED_IN');
  }

  async signIn(credentials: Credentials): Promise<void> {
    const answer = await exchangeOnce('POST', '/auth/session', credentials);
    if (!answer.ok) throw new Refusal(await problemOf(answer));
    const user = (await answer.json()) as User;
    // What is open belongs to the one before.
    if (this.user !== null && this.user.id !== user.id) {
      tabs.postMessage(user.id);
      return this.#beginAnew();
    }
    tabs.postMessage(user.id);
    this.user = user;
    this.#become('SIGNED_IN');
    for (const goOn of this.#waiting.splice(0)) goOn();
  }

  /** Throws Refusal: then the session goes on. */
  async signOut(): Promise<void> {
    const answer = await exchangeOnce('DELETE', '/auth/session');
    if (!answer.ok) throw new Refusal(await problemOf(answer));
    forgetAllDrafts();
    location.hash = '';
    location.reload();
  }

  may(permission: Permission): boolean {
    return this.user !== null && PERMITTED[this.user.role].includes(permission);
  }

  /** All tabs have one cookie: what is sent from here now is sent by who has signed in there. */
  #otherTab(userId: unknown): void {
    if (this.user !== null && this.user.id !== userId) this.#beginAnew();
  }

  #beginAnew(): void {
    forgetAllDrafts();
    location.reload();
  }

  /** Resolves when the person has signed in again; what they typed stays where it is meanwhile. */
  async #renewed(): Promise<void> {
    const signedIn = new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.#become(this.user === null ? 'SIGNED_OUT' : 'ENDED');
    await signedIn;
  }

  #become(state: SessionState): void {
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }
}

export const session = new Session();
