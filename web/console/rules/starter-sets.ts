import type { DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { get, send } from '../exchange.ts';

/** Offers the rules that come with the product as the beginning of a draft. */
export async function startFromSet(
  { id, draft }: Schemas['RuleConfiguration'],
  onLoaded: () => Promise<void>,
): Promise<DialogAct> {
  const sets = await get('/rule-engine/starter-sets');
  return {
    key: `starter-set/${id}`,
    title: 'Begin with a starter set',
    explanation: 'The draft is replaced. Nothing is in force until you publish it.',
    label: 'Take it',
    fields: [
      {
        name: 'name',
        label: 'Starter set',
        kind: 'choice',
        isRequired: true,
        value: sets[0]?.name ?? '',
        options: sets.map(({ name, title }) => ({ value: name, label: title })),
      },
    ],
    run: async ({ name = '' }) => {
      const path = { id, name };
      await send('POST', '/rule-engine/{id}/starter-sets/{name}/load', {
        path,
        body: { revision: draft.revision },
      });
      await onLoaded();
      return 'The starter set is the draft now.';
    },
  };
}
