import type { HostedVerification } from './hosted-verification.ts';
import { forgetFiles } from './chosen-files.ts';
import type { Language, Say } from './language.ts';
import { announceChange } from './other-tabs.ts';
import type { HostedPage, PageEnd, PageState, Screen } from './page.ts';
import { isFinished, screenFor } from './screens.ts';
import { NoAnswer, openVerificationCalls, Refusal } from './verification-calls.ts';
import { troubleText } from './trouble-text.ts';

/** The page before anything is known. Each change is given to `draw`. */
export function createPage(
  token: string,
  words: { language: Language; say: Say },
  draw: (page: HostedPage) => void,
): HostedPage {
  let state: PageState = { ...START, ...words };
  const page: HostedPage = {
    token,
    calls: openVerificationCalls(token),
    get state() {
      return state;
    },
    set(change) {
      state = { ...state, ...change };
      draw(page);
    },
    show: (verification) => showVerification(page, verification),
    open: (screen) => openScreen(page, screen),
    run: (control, action) => void runAction(page, control, action),
    keepTime: () => keepTime(page),
    refresh: async () => await refresh(page),
  };
  return page;
}

const START: Omit<PageState, 'language' | 'say'> = {
  verification: null,
  end: null,
  isOffline: false,
  screen: 'HOME',
  busy: null,
  trouble: null,
  copied: null,
  logo: null,
  wallets: [],
  message: null,
  files: [],
  progress: null,
  camera: null,
  hasJustEnded: false,
  leavesIn: null,
  now: new Date(),
};

function showVerification(page: HostedPage, verification: HostedVerification): void {
  const before = page.state.verification;
  const isNew = JSON.stringify(before) !== JSON.stringify(verification);
  const hasJustEnded = before?.status === 'PENDING' && isFinished(verification);
  page.set({
    ...(isNew && { verification, end: null }),
    ...(hasJustEnded && { hasJustEnded }),
    isOffline: false,
  });
  keepTime(page);
  if (isNew && before) announceChange(verification.id);
}

/** Sets the clock of the page. Goes to the overview when the time of the present screen is over. */
function keepTime(page: HostedPage): void {
  const now = new Date();
  page.set({ now });
  const { verification, screen } = page.state;
  const fitting = verification ? screenFor(verification, screen, now) : screen;
  if (fitting !== screen) enter(page, fitting);
}

/** Opens a screen as a step that the browser's button goes back from. */
function openScreen(page: HostedPage, screen: Screen): void {
  if (screen === page.state.screen) return;
  if (screen === 'HOME' && (history.state as { isStep?: boolean } | null)?.isStep) {
    history.back();
    return;
  }
  history.pushState({ ...history.state, screen, isStep: true }, '');
  enter(page, screen);
}

/** Shows a screen, with nothing left of the one before, and moves the focus to its heading. */
export function enter(page: HostedPage, screen: Screen): void {
  const { camera, files } = page.state;
  for (const track of camera?.getTracks() ?? []) track.stop();
  forgetFiles(files);
  page.set({ screen, trouble: null, copied: null, files: [], progress: null, camera: null });
  document.querySelector<HTMLElement>('h2')?.focus();
  scrollTo({ top: 0 });
}

async function runAction(page: HostedPage, control: string, action: () => Promise<void>): Promise<void> {
  if (page.state.busy !== null) return;
  page.set({ busy: control, trouble: null, copied: null });
  try {
    await action();
  } catch (error) {
    const text = await faultOf(page, error);
    page.set({ trouble: text === null ? null : { at: control, text } });
  } finally {
    page.set({ busy: null, progress: null });
  }
}

/** What to say of a fault. Null when the page shows it as a whole, because the verification or the link is over. */
async function faultOf(page: HostedPage, error: unknown): Promise<string | null> {
  if (error instanceof NoAnswer) page.set({ isOffline: true });
  if (!(error instanceof Refusal)) return troubleText(page.state, error);
  const end = endOf(page, error);
  if (end) {
    page.set({ end });
    return null;
  }
  if (error.code === 'not_our_text') {
    page.set({ message: await page.calls.makeMessage() });
    return page.state.say('textRenewed');
  }
  // The number of attempts has changed, or another tab or a deadline was faster.
  await refresh(page);
  const isOver =
    error.status === 410 || (error.status === 409 && page.state.verification?.status !== 'PENDING');
  return isOver ? null : troubleText(page.state, error);
}

async function refresh(page: HostedPage): Promise<void> {
  try {
    page.show(await page.calls.read());
  } catch (error) {
    const end = error instanceof Refusal ? endOf(page, error) : null;
    if (end) page.set({ end });
    else page.set({ isOffline: true });
  }
}

function endOf({ state }: HostedPage, { status, code }: Refusal): PageEnd | null {
  if (code === 'tenant_suspended') return 'CLOSED';
  if (status !== 404) return null;
  return state.verification === null ? 'UNKNOWN' : 'WITHDRAWN';
}
