import type { Language } from './language.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The way in which the user of this browser writes dates and numbers in this language, such as British English. */
function localeOf(language: Language): string {
  return navigator.languages.find((one) => one.split('-')[0] === language && isLocale(one)) ?? language;
}

/** A browser names languages as its machine does, which may be no tag at all: `en-US@posix` is one of Chromium. */
function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

/** An address in groups of four, so that people can compare it. The prefix `0x` stays with its group. */
export function groupsOf(address: string): string[] {
  return address.match(/^0x.{1,4}|.{1,4}/g) ?? [];
}

/** Hours, or minutes when two hours are left. */
export function durationLeft(ms: number, language: Language): string {
  const [value, unit] =
    ms >= 2 * HOUR_MS ? [Math.floor(ms / HOUR_MS), 'hour'] : [Math.ceil(ms / MINUTE_MS), 'minute'];
  return new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.max(0, value),
  );
}

/** Date and time with the time zone of the browser. */
export function momentIn(language: Language, moment: Date): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(moment);
}

export function percentIn(language: Language, share: number): string {
  return new Intl.NumberFormat(localeOf(language), { style: 'percent' }).format(share);
}

/** A size in megabytes, at least 0.1. */
export function sizeIn(language: Language, bytes: number): string {
  return new Intl.NumberFormat(localeOf(language), {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: 1,
  }).format(Math.max(0.1, bytes / 1_000_000));
}
