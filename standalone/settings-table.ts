import { z } from 'zod';
import { SETTING_GROUPS } from '../process/settings-schema.ts';

/** A setting as JSON Schema, with the texts of its meta data. */
interface DescribedSetting {
  description: string;
  unit?: string;
  otherwise?: string;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
}

const HEADER = ['name', 'default', 'unit or form', 'meaning'];

/** The settings as Markdown: for each group a heading and a table of names, defaults, units and meanings. */
function settingsAsMarkdown(): string {
  const groups = Object.entries(SETTING_GROUPS).map(([title, shape]) => {
    const rows = Object.entries<z.ZodType>(shape).map(([name, schema]) => rowOf(name, schema));
    return `### ${title}\n\n${tableOf(rows)}\n`;
  });
  return groups.join('\n');
}

function rowOf(name: string, schema: z.ZodType): string[] {
  const setting = z.toJSONSchema(schema, { io: 'input' }) as unknown as DescribedSetting;
  const value = schema.safeParse(undefined).data;
  return [`\`${name}\``, defaultOf(value, setting), formOf(setting), setting.description];
}

function defaultOf(value: unknown, { otherwise }: DescribedSetting): string {
  if (otherwise !== undefined) return otherwise;
  // An empty list is what nobody has set.
  if (value === undefined || Array.isArray(value)) return 'none';
  return `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``;
}

function formOf({ enum: words, unit = '', minimum, maximum, minLength = 0 }: DescribedSetting): string {
  if (words) return words.join(', ');
  if (minLength > 1) return `${unit}, ${minLength} characters or more`;
  if (maximum === undefined || maximum === Number.MAX_SAFE_INTEGER) return unit;
  return `${unit}, ${minimum} to ${maximum}`;
}

/** Aligned as the formatter of this project does it. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const all = [HEADER, ...rows];
  const widths = HEADER.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [line(HEADER), line(rule), ...rows.map(line)].join('\n');
}

const BEGIN = '<!-- settings: written by `npm run docs:settings` -->\n';
const END = '<!-- end of settings -->';

/** The page with the settings of the code between its two marks. Throws an Error when it lacks a mark. */
export function pageWithSettings(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const [, after] = rest?.split(END) ?? [];
  if (before === undefined || after === undefined) throw new Error('The page has no place for the settings.');
  return `${before}${BEGIN}\n${settingsAsMarkdown()}\n${END}${after}`;
}
