import type { DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send } from '../exchange.ts';

/** Says that a match is of somebody else, so that it is passed over in screenings to come. */
export function suppress(
  { listCode, listingId, name }: Schemas['SanctionsMatch'],
  { screenedName, id }: Pick<Schemas['Screening'], 'screenedName' | 'id'>,
): DialogAct {
  return {
    key: `suppress/${id}/${listingId}`,
    title: `${screenedName} is not this ${name}`,
    explanation: `The match is passed over from then on, until the entry on ${listCode} changes. This transaction stays held: decide on it, too.`,
    label: 'Suppress the match',
    fields: [{ name: 'note', label: 'How you know', kind: 'long', isRequired: true }],
    run: async ({ note = '' }) => {
      const body = { screeningId: id, listCode, listingId, note: note.trim() };
      const { proposal } = await send('POST', '/sanctions/suppressions', { body });
      return proposal ? 'Proposed. A second person has to agree.' : 'The match is suppressed.';
    },
  };
}
