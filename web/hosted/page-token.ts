// The token of the page. It is removed from the address bar at once and sent to the service in a header.

const KEPT = 'token';

/** Takes the token from the address, or from before a reload. */
export function takeToken(): string {
  const address = new URL(location.href);
  const token = address.searchParams.get(KEPT) ?? kept(KEPT) ?? '';
  keep(KEPT, token);
  // In a frame nobody sees the address, and without the token in it the page could not be shown there again.
  if (!isFramed()) history.replaceState(history.state, '', address.pathname);
  return token;
}

/** The address of this page with its token, for another device or the browser of a wallet. */
export function addressWithToken(token: string): string {
  const address = new URL(location.pathname, location.href);
  address.searchParams.set(KEPT, token);
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
