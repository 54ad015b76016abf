/** What the network of e-mail needs in tests that send none. */
export const TEST_MAILS = { portalUrl: 'http://127.0.0.1:3000/portal', sendsMails: true };
