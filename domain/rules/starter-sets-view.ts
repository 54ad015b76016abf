import { z } from 'zod';
import { RuleSetInput } from './schema.ts';
import { STARTER_SETS, type StarterRules, type StarterSet } from './starter-sets.ts';

const Rules = RuleSetInput.extend({
  comments: z.array(z.string()).describe('The reason for each rule, in the order of the rules.'),
}).meta({ id: 'RuleStarterRules' });

export const StarterSetView = z
  .strictObject({
    name: z.string().describe('The name by which it is loaded.'),
    title: z.string(),
    description: z.string(),
    sets: z.strictObject({ OUTGOING: Rules, INCOMING: Rules }),
  })
  .meta({ id: 'RuleStarterSet' });

export function viewStarterSet({ sets, ...rest }: StarterSet): z.input<typeof StarterSetView> {
  return { ...rest, sets: { OUTGOING: viewRules(sets.OUTGOING), INCOMING: viewRules(sets.INCOMING) } };
}

function viewRules({ rules, comments, defaultDecision, onUndecided }: StarterRules): z.input<typeof Rules> {
  return { rules, defaultDecision, onUndecided, comments };
}

export function findStarterSet(name: string): StarterSet | undefined {
  return STARTER_SETS.find((set) => set.name === name);
}
