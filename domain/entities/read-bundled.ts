import type { EntityType } from './entity.ts';
import { BUNDLED_SOURCE } from './entity.ts';
import type { ImportedEntity } from './import-row.ts';
import { estimateRisk } from './risk.ts';

/** The rows of the bundled directory, which is made by its own program and needs no check. */
export function readBundled(lines: readonly string[]): ImportedEntity[] {
  return lines.map((line, index) => {
    const [sourceId = '', name = '', legalName, type, countries, webpage, aliases, master] = line.split('\t');
    const subject = { type: type as EntityType, countries: listOf(countries), inNetwork: false };
    return {
      row: index + 1,
      givenId: null,
      source: BUNDLED_SOURCE,
      sourceId,
      givenMasterId: null,
      masterSourceId: master || null,
      name,
      legalName: legalName || null,
      aliases: listOf(aliases),
      type: subject.type,
      countries: subject.countries,
      webpage: webpage || null,
      email: null,
      lei: null,
      registrationNumber: null,
      travelAddress: null,
      networks: [],
      ...estimateRisk(subject),
    };
  });
}

function listOf(cell: string | undefined): string[] {
  return cell ? cell.split(';') : [];
}
