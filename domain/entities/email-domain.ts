import { z } from 'zod';

/** Providers at which anybody gets an address: such a domain says nothing about the institution behind it. */
const FREE_MAIL = new Set(
  `126.com 139.com 163.com aim.com aol.com att.net bigpond.com bk.ru bluewin.ch btinternet.com comcast.net
  daum.net duck.com fastmail.com fastmail.fm foxmail.com free.fr freenet.de gmail.com googlemail.com
  hanmail.net hey.com hushmail.com icloud.com inbox.lv inbox.ru interia.pl laposte.net libero.it list.ru
  mac.com mail.com mail.ru mailbox.org mailinator.com me.com msn.com naver.com o2.pl onet.pl orange.fr
  passport.com pm.me posteo.de proton.me protonmail.ch protonmail.com qq.com rambler.ru rediffmail.com
  rocketmail.com sapo.pt seznam.cz sfr.fr sina.com sohu.com t-online.de terra.com.br tiscali.it tuta.com
  tuta.io tutanota.com tutanota.de ukr.net uol.com.br verizon.net virgilio.it wanadoo.fr web.de wp.pl
  ya.ru yeah.net ymail.com zoho.com zohomail.com`.split(/\s+/),
);
/** Providers with a domain in each country. */
const FREE_MAIL_OF_COUNTRIES = /^(gmx|hotmail|live|outlook|yahoo|yandex)\.[a-z]{2,3}(\.[a-z]{2})?$/;

/** A host name of at least two labels, the last of which begins with a letter: no IP address. */
const HOST = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$/;

/**
 * A domain of an institution's e-mail addresses, in lower case and punycode: its other spellings are the same domain. The
 * domains of free-mail providers are refused.
 */
export const EmailDomain = z
  .string()
  .min(1)
  .max(253)
  .transform((given, context) => {
    const domain = asciiDomain(given.trim());
    if (domain === null) context.addIssue('a domain such as example.com is expected');
    else if (isFreeMail(domain)) context.addIssue('everybody gets an address at this domain');
    else return domain;
    return z.NEVER;
  });

/** Whether anybody gets an address at the domain, which is in lower case and punycode. */
export function isFreeMail(domain: string): boolean {
  return FREE_MAIL.has(domain) || FREE_MAIL_OF_COUNTRIES.test(domain);
}

/** A domain in lower case and punycode; null if the text is no domain. */
export function asciiDomain(text: string): string | null {
  // Characters by which a URL would not be a host alone.
  if (/[\s\p{Cc}/\\:?#@%[\]]/u.test(text) || !URL.canParse(`http://${text}`)) return null;
  const { hostname } = new URL(`http://${text}`);
  return HOST.test(hostname) ? hostname : null;
}
