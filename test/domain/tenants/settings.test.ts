import { z } from 'zod';
import { SCREENING_DEFAULTS } from '../../../domain/sanctions-screening/settings.ts';
import { patchSettings } from '../../../domain/tenants/patch-settings.ts';
import {
  PatchSettingsBody,
  Settings,
  settingsOf,
  type StoredSettings,
} from '../../../domain/tenants/settings.ts';

const patched = (stored: StoredSettings, body: unknown) =>
  patchSettings(stored, PatchSettingsBody.parse(body));
const accepts = (body: unknown) => PatchSettingsBody.safeParse(body).success;

const walletVerification: Settings['walletVerification'] = {
  allowedFlows: ['SIGNATURE_PROOF', 'SELF_DECLARED', 'SATOSHI_TEST', 'VISUAL_PROOF'],
  expiresInHours: 48,
  contractWallets: false,
};

const single = {
  claimDeadlineDays: 3,
  deliveryEmailEnabled: false,
  retentionDays: 1_827,
  timeZone: 'UTC',
  maskApiKeys: false,
};
const branding: Settings['branding'] = {
  displayName: null,
  color: null,
  logo: null,
  icon: null,
  frameOrigins: [],
};
const LOGO: NonNullable<Settings['branding']['logo']> = {
  id: '0190d1a2-7b3c-7def-8123-456789abcdef',
  fileName: 'logo.png',
  mimeType: 'image/png',
  size: 68,
  sha256: '0'.repeat(64),
  uploadedAt: '2026-11-21T10:00:00.000Z',
};
const fourEyes: Settings['fourEyes'] = {
  rules: false,
  review: false,
  suppressions: false,
  webhookUrl: false,
};
const rules: Settings['rules'] = { blockGuard: true };
const screening = SCREENING_DEFAULTS;
const selfHosted: Settings['selfHosted'] = {
  thresholdEur: '1000',
  flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'],
  maxProofAgeDays: null,
  acceptUnbound: false,
};

test('a tenant that never chose has the defaults', () => {
  const settings = settingsOf({});
  expect(settings).toEqual({
    autoConfirmSelfHosted: true,
    holdIncomplete: false,
    sealWebhook: false,
    reconciliationWebhook: false,
    addressQuestionUrl: null,
    ...single,
    branding,
    selfHosted,
    walletVerification,
    fourEyes,
    rules,
    screening,
  });
  expect(Settings.parse(settings)).toEqual(settings);
});

interface SettingDoc {
  default?: unknown;
  description?: string;
  properties?: Record<string, SettingDoc>;
}

/** The JSON Schema of a named schema. */
function docOf(schema: z.ZodType): SettingDoc {
  const { $defs = {} } = z.toJSONSchema(schema, { io: 'input' });
  return ($defs[schema.meta()?.id ?? ''] ?? {}) as SettingDoc;
}

/** The leaves of an object schema by their path. */
function settingDocs(schema: SettingDoc, path = ''): [string, SettingDoc][] {
  if (!schema.properties) return [[path, schema]];
  return Object.entries(schema.properties).flatMap(([name, member]) =>
    settingDocs(member, `${path}/${name}`),
  );
}

test('the schema documents every setting with its default, and every change of one', () => {
  const documented = settingDocs(docOf(Settings));
  expect(documented.length).toBeGreaterThan(15);
  const defaults = settingsOf({}) as unknown as Record<string, unknown>;
  for (const [path, { description, default: fallback }] of documented) {
    const [group = '', name] = path.slice(1).split('/');
    const value = name === undefined ? defaults[group] : (defaults[group] as Record<string, unknown>)[name];
    expect({ path, fallback }).toEqual({ path, fallback: value });
    expect(description).toMatch(/\.$/);
  }
  const changes = settingDocs(docOf(PatchSettingsBody));
  expect(changes.map(([path]) => path)).toEqual(documented.map(([path]) => path));
  expect(changes.filter(([, { description = '' }]) => !/Null: /.test(description))).toEqual([]);
});

test.each<[StoredSettings, unknown, StoredSettings]>([
  [{}, {}, {}],
  [{}, { autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: false }],
  [
    { autoConfirmSelfHosted: false },
    { holdIncomplete: true },
    { autoConfirmSelfHosted: false, holdIncomplete: true },
  ],
  [{ holdIncomplete: true }, { holdIncomplete: null }, {}],
  [{ holdIncomplete: true }, { autoConfirmSelfHosted: null }, { holdIncomplete: true }],
  [{}, { autoConfirmSelfHosted: true }, { autoConfirmSelfHosted: true }],
  [{ autoConfirmSelfHosted: false }, {}, { autoConfirmSelfHosted: false }],
  [{ autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: null }, {}],
  [{}, { selfHosted: {} }, {}],
  [{}, { selfHosted: { thresholdEur: '500.50' } }, { selfHosted: { thresholdEur: '500.5' } }],
  [{}, { selfHosted: { thresholdEur: 0 } }, { selfHosted: { thresholdEur: '0' } }],
  [{}, { selfHosted: { thresholdEur: '0' } }, { selfHosted: { thresholdEur: '0' } }],
  [{}, { selfHosted: { thresholdEur: 1e3 } }, { selfHosted: { thresholdEur: '1000' } }],
  [{}, { selfHosted: { thresholdEur: null } }, { selfHosted: { thresholdEur: null } }],
  [
    { selfHosted: { thresholdEur: null } },
    { autoConfirmSelfHosted: false },
    { autoConfirmSelfHosted: false, selfHosted: { thresholdEur: null } },
  ],
  [{ selfHosted: { thresholdEur: '1' } }, { selfHosted: {} }, { selfHosted: { thresholdEur: '1' } }],
  [
    { selfHosted: { thresholdEur: '1' } },
    { selfHosted: { thresholdEur: 2 } },
    { selfHosted: { thresholdEur: '2' } },
  ],
  [
    { selfHosted: { thresholdEur: '1' } },
    { selfHosted: { flowsAbove: ['SATOSHI_TEST'], maxProofAgeDays: 30 } },
    { selfHosted: { thresholdEur: '1', flowsAbove: ['SATOSHI_TEST'], maxProofAgeDays: 30 } },
  ],
  [
    { selfHosted: { thresholdEur: '1', flowsAbove: ['SATOSHI_TEST'], maxProofAgeDays: 30 } },
    { selfHosted: { flowsAbove: null, maxProofAgeDays: null } },
    { selfHosted: { thresholdEur: '1', maxProofAgeDays: null } },
  ],
  [
    { selfHosted: { thresholdEur: '1' } },
    { selfHosted: { acceptUnbound: true } },
    { selfHosted: { thresholdEur: '1', acceptUnbound: true } },
  ],
  [
    { selfHosted: { thresholdEur: '1', acceptUnbound: true } },
    { selfHosted: { acceptUnbound: null } },
    { selfHosted: { thresholdEur: '1' } },
  ],
  [
    { fourEyes: { rules: true, review: true } },
    { fourEyes: { rules: null } },
    { fourEyes: { review: true } },
  ],
  [{ rules: { blockGuard: false } }, { rules: { blockGuard: null } }, { rules: {} }],
  [
    { walletVerification: { expiresInHours: 1, contractWallets: true } },
    { walletVerification: { expiresInHours: null, allowedFlows: ['SELF_DECLARED'] } },
    { walletVerification: { contractWallets: true, allowedFlows: ['SELF_DECLARED'] } },
  ],
  [{}, { timeZone: 'europe/zurich' }, { timeZone: 'Europe/Zurich' }],
  [{}, { timeZone: 'Asia/Kolkata' }, { timeZone: 'Asia/Kolkata' }],
  [{ timeZone: 'Europe/Zurich' }, { timeZone: null }, {}],
  [{}, { claimDeadlineDays: 30, retentionDays: 3_653 }, { claimDeadlineDays: 30, retentionDays: 3_653 }],
  [
    { branding: { color: '#000000' } },
    { branding: { displayName: ' Alpine ', color: '#0A4D8C' } },
    { branding: { displayName: 'Alpine', color: '#0a4d8c' } },
  ],
  [
    { branding: { color: '#000000', logo: LOGO } },
    { branding: { color: null } },
    { branding: { logo: LOGO } },
  ],
  [
    { branding: { color: '#000000', logo: LOGO } },
    { branding: { logo: null } },
    { branding: { color: '#000000' } },
  ],
  [
    {},
    { branding: { frameOrigins: ['https://app.example', 'http://localhost:8080', 'https://app.example'] } },
    { branding: { frameOrigins: ['https://app.example', 'http://localhost:8080'] } },
  ],
])('of %j the change %j leaves %j', (stored, body, left) => {
  expect(patched(stored, body)).toEqual(left);
});

test.each<[StoredSettings, Partial<Settings>]>([
  [{ autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: false, selfHosted }],
  [{ selfHosted: {} }, { autoConfirmSelfHosted: true, selfHosted }],
  [
    { selfHosted: { thresholdEur: '0' } },
    { autoConfirmSelfHosted: true, selfHosted: { ...selfHosted, thresholdEur: '0' } },
  ],
  [
    { selfHosted: { thresholdEur: null } },
    { autoConfirmSelfHosted: true, selfHosted: { ...selfHosted, thresholdEur: null } },
  ],
  [
    { walletVerification: { allowedFlows: ['SIGNATURE_PROOF'], contractWallets: true } },
    {
      autoConfirmSelfHosted: true,
      selfHosted,
      walletVerification: { allowedFlows: ['SIGNATURE_PROOF'], expiresInHours: 48, contractWallets: true },
    },
  ],
])('%j means %j', (stored, settings) => {
  const others = {
    holdIncomplete: false,
    sealWebhook: false,
    reconciliationWebhook: false,
    addressQuestionUrl: null,
    ...single,
    branding,
    walletVerification,
    fourEyes,
    rules,
    screening,
  };
  expect(settingsOf(stored)).toEqual({ ...others, ...settings });
});

test('what is stored stays as it was, and settings of other parts survive a change', () => {
  const stored = { autoConfirmSelfHosted: false, later: { part: 1 } } as StoredSettings;
  expect(patched(stored, { autoConfirmSelfHosted: null })).toEqual({ later: { part: 1 } });
  expect(stored).toEqual({ autoConfirmSelfHosted: false, later: { part: 1 } });
});

test.each([
  { autoConfirmSelfHosted: 'yes' },
  { selfHosted: null },
  { selfHosted: { thresholdEur: '-1' } },
  { selfHosted: { thresholdEur: -1 } },
  { selfHosted: { thresholdEur: '1e3' } },
  { selfHosted: { thresholdEur: '1 000' } },
  { selfHosted: { thresholdEur: Infinity } },
  { selfHosted: { thresholdEur: true } },
  { selfHosted: { colour: 1 } },
  { selfHosted: { flowsAbove: [] } },
  { selfHosted: { flowsAbove: ['SIGNATURE_PROOF', 'SIGNATURE_PROOF'] } },
  { selfHosted: { flowsAbove: ['WORD'] } },
  { selfHosted: { maxProofAgeDays: 0 } },
  { selfHosted: { maxProofAgeDays: 1.5 } },
  { selfHosted: { maxProofAgeDays: 3_651 } },
  { colour: 1 },
  { claimDeadlineDays: 0 },
  { claimDeadlineDays: 31 },
  { claimDeadlineDays: 2.5 },
  { deliveryEmailEnabled: 1 },
  { retentionDays: 0 },
  { retentionDays: 3_654 },
  { timeZone: 'Europe/Atlantis' },
  { timeZone: '+02:00' },
  { timeZone: '' },
  { timeZone: "UTC'; drop table tenants" },
  { timeZone: ':/etc/passwd' },
  { timeZone: 'x'.repeat(10_000) },
  { maskApiKeys: 'yes' },
  { branding: null },
  { branding: { displayName: ' ' } },
  { branding: { displayName: 'two\nlines' } },
  { branding: { displayName: 'left\u202eright' } },
  { branding: { displayName: 'x'.repeat(101) } },
  { branding: { color: 'red' } },
  { branding: { color: '#fff' } },
  { branding: { color: '#12345g' } },
  { branding: { color: '#123456;' } },
  { branding: { logo: { id: '0190d1a2-7b3c-7def-8123-456789abcdef' } } },
  { branding: { frameOrigins: ['*'] } },
  { branding: { frameOrigins: ['https:'] } },
  { branding: { frameOrigins: ['https://*.app.example'] } },
  { branding: { frameOrigins: ['https://app.example/'] } },
  { branding: { frameOrigins: ['https://app.example:443'] } },
  { branding: { frameOrigins: ['https://App.example'] } },
  { branding: { frameOrigins: ['http://app.example'] } },
  { branding: { frameOrigins: ['https://a.example; script-src *'] } },
  { branding: { frameOrigins: ['https://a.example;script-src'] } },
  { branding: { frameOrigins: ["https://a.example'"] } },
  { branding: { frameOrigins: ['https://a.example,https://b.example'] } },
  { branding: { frameOrigins: ['https://u:p@a.example'] } },
  { branding: { frameOrigins: ['https://a.example:99999'] } },
  { branding: { frameOrigins: ['https://1.2.3'] } },
  { branding: { frameOrigins: Array.from({ length: 21 }, (_, n) => `https://a${n}.example`) } },
])('%j is refused', (body) => {
  expect(accepts(body)).toBe(false);
});
