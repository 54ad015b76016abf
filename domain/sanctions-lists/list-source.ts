import type { ListFormat } from './list-format.ts';
import { KNOWN_LISTS, type KnownList } from './list-code.ts';

/** The download URLs of a list; several URLs are the files of one OFAC list. */
export interface ListSource {
  code: KnownList;
  format: ListFormat;
  urls: readonly string[];
}

/** The operator's URL settings; `off` disables a list, undefined leaves the default of the environment. */
export type ListUrls = Readonly<
  Partial<Record<`LISTS_${KnownList}_URL`, readonly string[] | 'off' | undefined>>
>;

// The lists of the EU and of OpenSanctions need a token or a licence, so they have no default URL.
const PUBLIC_URLS: Partial<Record<KnownList, string>> = {
  OFAC_SDN: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML',
  OFAC_CONS: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/CONS_ADVANCED.XML',
  UN_SC: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
  UK_SL: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv',
};

/** The lists that are fetched regularly. A sandbox has no default URLs. */
export function listSources(
  settings: ListUrls & { ENVIRONMENT: 'sandbox' | 'production' },
): readonly ListSource[] {
  return (Object.keys(KNOWN_LISTS) as KnownList[]).flatMap((code) => {
    const byDefault = settings.ENVIRONMENT === 'production' ? PUBLIC_URLS[code] : undefined;
    const urls = settings[`LISTS_${code}_URL`] ?? (byDefault === undefined ? 'off' : [byDefault]);
    return urls === 'off' ? [] : [{ code, format: formatOf(code, urls), urls }];
  });
}

/** The format of a list. Only OFAC publishes in two formats, which the URLs tell apart. */
function formatOf(code: KnownList, urls: readonly string[]): ListFormat {
  const isCsv = urls.length > 1 || /\.csv$/i.test(new URL(urls[0] ?? '').pathname);
  return KNOWN_LISTS[code] === 'OFAC_XML' && isCsv ? 'OFAC_CSV' : KNOWN_LISTS[code];
}
