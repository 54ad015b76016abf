import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnvironmentSettings } from '../../process/settings-schema.ts';
import { readSettings } from '../../process/settings.ts';
import { read, variablesOfComposeFile } from './compose-file.ts';

/** The variables of deploy/.env.example with their values. */
const EXAMPLE = Object.fromEntries(
  [...read('deploy/.env.example').matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const isSetting = (name: string) => name in EnvironmentSettings.shape;

/** The defaults that docker-compose.yml gives to variables that are not in .env. */
const COMPOSE_DEFAULTS = Object.fromEntries(
  [...read('docker-compose.yml').matchAll(/(?<!\$)\$\{(\w+):-([^}]*)\}/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

test('what the example sets without need is the default; only a production has other values', () => {
  const byDefault: Record<string, unknown> = readSettings({});
  const given: Record<string, unknown> = readSettings(EXAMPLE);
  const set = Object.keys(EXAMPLE).filter((name) => isSetting(name) && EXAMPLE[name] !== '');
  const different = set.filter((name) => given[name] !== byDefault[name]);
  expect(different.toSorted()).toEqual(['ENVIRONMENT', 'PUBLIC_URL', 'TRUST_PROXY']);
});

test('the example and docker-compose.yml have the same defaults', () => {
  const stated = Object.entries(COMPOSE_DEFAULTS).filter(([, value]) => value !== '');
  expect(stated.length).toBeGreaterThan(3);
  expect(stated.map(([name]) => [name, EXAMPLE[name]])).toEqual(stated);
});

test('the page for operators names the variables that are no settings', () => {
  const page = read('docs/operating.md');
  const others = variablesOfComposeFile().filter((name) => !isSetting(name));
  expect(others).toEqual(['API_PUBLISH', 'POSTGRES_SHARED_BUFFERS', 'TRP_PUBLISH', 'WAYBILL_VERSION']);
  expect(others.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('an empty secret counts as absent, as an empty variable does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  try {
    const file = join(folder, 'smtp_url');
    writeFileSync(file, '\n');
    expect(readSettings({ SMTP_URL_FILE: file }).SMTP_URL).toBeUndefined();
    writeFileSync(file, 'smtps://user:secret@mail.example:465\n');
    expect(readSettings({ SMTP_URL_FILE: file }).SMTP_URL).toBe('smtps://user:secret@mail.example:465');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a production with a mail server needs a sender that is no trial one', () => {
  const settings = { ENVIRONMENT: 'production', SMTP_URL: 'smtps://mail.example:465' };
  for (const MAIL_FROM of ['', 'Waybill <waybill@localhost>', 'waybill@LOCALHOST'])
    expect(() => readSettings({ ...settings, MAIL_FROM })).toThrow('MAIL_FROM: is required in production');
  const MAIL_FROM = 'Travel Rule <travelrule@alpine.example>';
  expect(readSettings({ ...settings, MAIL_FROM }).MAIL_FROM).toBe(MAIL_FROM);
  expect(readSettings({ ...settings, ENVIRONMENT: 'sandbox' }).MAIL_FROM).toContain('@localhost');
  expect(readSettings({ ENVIRONMENT: 'production' }).SMTP_URL).toBeUndefined();
});
