// The token of the hosted page. It is removed from the address bar at once and sent to the service in a header.

const address = new URL(location.href);
export const token = address.searchParams.get('token') ?? keptToken();
keepToken(token);
// In a frame nobody sees the address, and without the token in it the page could not be shown there again.
if (window.top === window) history.replaceState(null, '', address.pathname);

/** The token from before a reload. In a frame of another site a browser may refuse to keep anything. */
function keptToken() {
  try {
    return sessionStorage.getItem('token') ?? '';
  } catch (error) {
    if (error instanceof DOMException) return '';
    throw error;
  }
}

/** @param {string} text */
function keepToken(text) {
  try {
    sessionStorage.setItem('token', text);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
