import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The keys of a trial, as `npm start` writes them to standalone.json; other fields are of no use here. */
const Demo = z.object({
  operatorKey: z.string(),
  tenants: z.array(
    z.object({
      name: z.string(),
      apiKey: z.string(),
      adminEmail: z.string().optional(),
      adminPassword: z.string().optional(),
    }),
  ),
  partner: z.object({ name: z.string(), apiKey: z.string() }),
});
export type DemoKeys = z.infer<typeof Demo>;

/** Null where no `npm start` runs in this home, or another version of it. */
export function readDemoKeys(home: string): DemoKeys | null {
  const file = join(home, 'standalone.json');
  if (!existsSync(file)) return null;
  const parsed = Demo.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  return parsed.success ? parsed.data : null;
}
