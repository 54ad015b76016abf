import { apiUrl, toRefusal } from './exchange.ts';
import { notify } from './notice.ts';

/** Fetches a file by a link that `ask` gets for it. The console may be reached by another name than the links are made for. */
export async function downloadBy(ask: () => Promise<{ url: string }>): Promise<void> {
  try {
    const { pathname } = new URL((await ask()).url, location.href);
    location.assign(apiUrl(`/${pathname.split('/').slice(-2).join('/')}`));
  } catch (error) {
    notify(toRefusal(error).message);
  }
}
