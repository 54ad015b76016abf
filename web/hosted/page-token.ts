// The token of the page. It is removed from the address bar at once and sent to the service in a header.

const TOKEN = 'token';

/**
 * Takes the token from the address, or from before a reload. It is kept in the entry of the history: there the button of the
 * browser finds it again although the tab has shown another link since, and no other page of this host can read it.
 */
export function takeToken(): string {
  const address = new URL(location.href);
  const state = (history.state ?? {}) as { token?: string };
  const token = address.searchParams.get(TOKEN) ?? state.token ?? '';
  // In a frame nobody sees the address, and without the token in it the page could not be shown there again.
  if (!isFramed()) history.replaceState({ ...state, token }, '', address.pathname);
  return token;
}

/** The address of this page with its token, for another device or the browser of a wallet. */
export function addressWithToken(token: string): string {
  const address = new URL(location.pathname, location.href);
  address.searchParams.set(TOKEN, token);
  return address.href;
}

export function isFramed(): boolean {
  return window.top !== window;
}

/** What was kept in this tab. In a frame of another site a browser may refuse to keep anything. */
export function kept(name: string): string | null {
  try {
    return sessionStorage.getItem(name);
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}

export function keep(name: string, text: string): void {
  try {
    sessionStorage.setItem(name, text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
