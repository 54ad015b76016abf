import type { ListFormat } from './list-format.ts';
import { KNOWN_LISTS, type KnownList } from './list-code.ts';

/** Where a list is fetched from; several addresses are the files that make up one OFAC list. */
export interface ListSource {
  code: KnownList;
  format: ListFormat;
  urls: readonly string[];
}

/** Addresses as the operator set them, or switched off; undefined leaves the default of the environment. */
export type ListUrls = Readonly<
  Partial<Record<`LISTS_${KnownList}_URL`, readonly string[] | 'off' | undefined>>
>;

// The lists of the EU and of OpenSanctions need a token or a licence: nobody is asked without the operator's address.
const PUBLIC_URLS: Partial<Record<KnownList, string>> = {
  OFAC_SDN: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML',
  OFAC_CONS: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/CONS_ADVANCED.XML',
  UN_SC: 'https://scsanctions.un.org/resources/xml/en/consolidated.xml',
  UK_SL: 'https://sanctionslist.fcdo.gov.uk/docs/UK-Sanctions-List.csv',
};

/** The lists that are kept up to date. A sandbox calls nobody by itself. */
export function listSources(
  settings: ListUrls & { ENVIRONMENT: 'sandbox' | 'production' },
): readonly ListSource[] {
  return (Object.keys(KNOWN_LISTS) as KnownList[]).flatMap((code) => {
    const byDefault = settings.ENVIRONMENT === 'production' ? PUBLIC_URLS[code] : undefined;
    const urls = settings[`LISTS_${code}_URL`] ?? (byDefault === undefined ? 'off' : [byDefault]);
    return urls === 'off' ? [] : [{ code, format: formatOf(code, urls), urls }];
  });
}

/** OFAC publishes its lists in two formats; everybody else in the one that is read. */
function formatOf(code: KnownList, urls: readonly string[]): ListFormat {
  const isCsv = urls.length > 1 || /\.csv$/i.test(new URL(urls[0] ?? '').pathname);
  return KNOWN_LISTS[code] === 'OFAC_XML' && isCsv ? 'OFAC_CSV' : KNOWN_LISTS[code];
}
