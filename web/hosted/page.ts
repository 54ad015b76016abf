import type { VerificationFlow, HostedMessage, HostedVerification, StepKind } from './hosted-verification.ts';
import type { ChosenFile } from './chosen-files.ts';
import type { Language, Say } from './language.ts';
import type { VerificationCalls } from './verification-calls.ts';
import type { SigningWallet } from './wallets/signing-wallet.ts';

/** What the page shows: the overview, a way of proof, or an additional step. */
export type Screen = 'HOME' | VerificationFlow | StepKind;

/** Why the page can show nothing (more) of its verification. */
export type PageEnd = 'UNKNOWN' | 'WITHDRAWN' | 'CLOSED';

/** A fault beside the control that caused it. */
interface Trouble {
  at: string;
  text: string;
}

export interface PageState {
  language: Language;
  say: Say;
  verification: HostedVerification | null;
  end: PageEnd | null;
  isOffline: boolean;
  screen: Screen;
  /** The control whose action runs. */
  busy: string | null;
  trouble: Trouble | null;
  /** The control whose content was copied last. */
  copied: string | null;
  logo: string | null;
  wallets: readonly SigningWallet[];
  message: HostedMessage | null;
  files: readonly ChosenFile[];
  /** The share of the upload that is sent; null while nothing is sent. */
  progress: number | null;
  camera: MediaStream | null;
  /** The proof was accepted while the page was open, not before it was loaded. */
  hasJustEnded: boolean;
  /** Seconds until the page goes back to the tenant; null: it stays. */
  leavesIn: number | null;
  now: Date;
}

/** The state of the page and what changes it. Views read the state and call these. */
export interface HostedPage {
  readonly state: PageState;
  readonly calls: VerificationCalls;
  readonly token: string;
  /** Changes the state and shows it. */
  set: (change: Partial<PageState>) => void;
  /** Takes a new answer of the service about the verification. */
  show: (verification: HostedVerification) => void;
  open: (screen: Screen) => void;
  /** Sets the clock of the page, which ends what has a deadline. */
  keepTime: () => void;
  /** Runs the action of a control; its fault is shown beside it. One runs at a time. */
  run: (control: string, action: () => Promise<void>) => void;
  /** Reads the verification again. */
  refresh: () => Promise<void>;
}
