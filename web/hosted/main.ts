import { render } from 'lit';
import type { HostedVerification } from './hosted-verification.ts';
import { createPage, enter } from './create-page.ts';
import { showIcon, showLook } from './look.ts';
import { chooseLanguage, LANGUAGES, sayIn, type Language } from './language.ts';
import { leaveWhenDone } from './leaving.ts';
import type { HostedPage, Screen } from './page.ts';
import { isFramed, keep, kept, takeToken } from './page-token.ts';
import { keepFresh } from './polling.ts';
import { firstScreen, screenFor } from './screens.ts';
import { pageView } from './views/page-view.ts';
import { findWallets } from './wallets/find-wallets.ts';

const KEPT_LANGUAGE = 'language';

/** The page waits a little for the first answer before it shows that it waits. */
const LOADING_MS = 300;

void start();

async function start(): Promise<void> {
  const wanted = new URL(location.href).searchParams.get('lang');
  const language = chooseLanguage([wanted, kept(KEPT_LANGUAGE), ...navigator.languages]);
  if (wanted !== null) keep(KEPT_LANGUAGE, language);
  const token = takeToken();
  const say = sayIn(await LANGUAGES[language].load());
  const page = createPage(token, { language, say }, draw);
  setTimeout(() => page.set({}), LOADING_MS);
  addEventListener('popstate', ({ state }) => goTo(page, (state as { screen?: Screen } | null)?.screen));
  await page.refresh();
  keepFresh(page);
}

/** Whether the verification was known before. The first answer may come late, when a connection was missing. */
let hasBegun = false;

function draw(page: HostedPage): void {
  const { language, say, verification } = page.state;
  document.documentElement.lang = language;
  document.documentElement.dir = LANGUAGES[language].direction;
  document.title = verification ? `${say('title')} – ${verification.tenantName}` : say('title');
  render(
    pageView(page, (chosen) => void speak(page, chosen)),
    document.body,
  );
  if (verification && !hasBegun) {
    hasBegun = true;
    void begin(page, verification);
  }
  leaveWhenDone(page);
}

async function speak(page: HostedPage, language: Language): Promise<void> {
  keep(KEPT_LANGUAGE, language);
  page.set({ language, say: sayIn(await LANGUAGES[language].load()) });
}

/** What happens once, when the verification is known. */
async function begin(page: HostedPage, verification: HostedVerification): Promise<void> {
  showLook(verification.branding);
  const { screen } = (history.state ?? {}) as { screen?: Screen };
  goTo(page, screen ?? firstScreen(verification));
  findWallets(verification.addressFormat, (wallets) => page.set({ wallets }));
  if (verification.branding.hasIcon && !isFramed()) void page.calls.readPicture('icon').then(showIcon);
  if (verification.branding.hasLogo) page.set({ logo: await page.calls.readPicture('logo') });
}

function goTo(page: HostedPage, screen: Screen = 'HOME'): void {
  const { verification } = page.state;
  const fitting = verification ? screenFor(verification, screen, new Date()) : 'HOME';
  if (fitting !== page.state.screen) enter(page, fitting);
}
