import { z } from 'zod';
import { SCREENING_DEFAULTS } from '../../../domain/sanctions-screening/settings.ts';
import {
  patchSettings,
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

const fourEyes: Settings['fourEyes'] = { rules: false, review: false };
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
    timeZone: 'UTC',
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
    timeZone: 'UTC',
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
])('%j is refused', (body) => {
  expect(accepts(body)).toBe(false);
});
