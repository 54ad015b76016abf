/** A wallet in this browser that can sign a text. */
export interface SigningWallet {
  name: string;
  /** A data URL, shown as a picture only; null: none. */
  icon: string | null;
  /** Signs the text with the key of this address. Throws WalletFault. */
  sign: (text: string, address: string) => Promise<string>;
}

type WalletFaultKind = 'REFUSED' | 'WRONG_ACCOUNT' | 'UNSUPPORTED' | 'BUSY' | 'OTHER';

/** A signature did not come about. The message is the wallet's own, or the account that it offers. */
export class WalletFault extends Error {
  readonly kind: WalletFaultKind;

  constructor(kind: WalletFaultKind, message = '') {
    super(message);
    this.kind = kind;
  }
}

/** Codes of EIP-1193 and JSON-RPC, which wallets of other chains use as well. */
const KINDS: Record<number, WalletFaultKind> = {
  4001: 'REFUSED',
  4100: 'REFUSED',
  4200: 'UNSUPPORTED',
  [-32002]: 'BUSY',
  [-32601]: 'UNSUPPORTED',
};

/** Calls a wallet. Wallets also throw objects that are not an Error, and texts. */
export async function askWallet<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw walletFault(error);
  }
}

export function walletFault(error: unknown): WalletFault {
  if (error instanceof WalletFault) return error;
  const { code, message } = (typeof error === 'object' && error !== null ? error : { message: error }) as {
    code?: unknown;
    message?: unknown;
  };
  const text = typeof message === 'string' ? message.slice(0, 300) : '';
  const known = typeof code === 'number' ? KINDS[code] : undefined;
  const isRefused = /reject|denied|declin|cancel/i.test(text);
  return new WalletFault(known ?? (isRefused ? 'REFUSED' : 'OTHER'), text);
}

/** The account that has to sign, as the wallet writes it. Throws WalletFault when the wallet offers others only. */
export function requireAccount(
  accounts: readonly string[],
  address: string,
  normal: (one: string) => string = (one) => one,
): string {
  const account = accounts.find((one) => normal(one) === normal(address));
  if (account !== undefined) return account;
  throw new WalletFault('WRONG_ACCOUNT', accounts[0] ?? '');
}

/** A picture that a wallet has given for itself, if it is one that needs no other host. */
export function safeIcon(icon: unknown): string | null {
  return typeof icon === 'string' && icon.trim().startsWith('data:image/') ? icon.trim() : null;
}
