import {
  PatchSettingsBody,
  patchSettings,
  settingsOf,
  type StoredSettings,
} from '../../../domain/tenants/settings.ts';

const patched = (stored: StoredSettings, patch: unknown) =>
  patchSettings(stored, PatchSettingsBody.parse(patch));

test('who chose nothing has the defaults, and nothing is stored', () => {
  expect(settingsOf({})).toEqual({ autoConfirmSelfHosted: true, selfHosted: { thresholdEur: '1000' } });
  expect(patched({}, {})).toEqual({});
});

test.each<[StoredSettings, unknown, StoredSettings]>([
  [{}, { autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: false }],
  [{ autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: null }, {}],
  [{ autoConfirmSelfHosted: false }, {}, { autoConfirmSelfHosted: false }],
  [{}, { selfHosted: { thresholdEur: 1e3 } }, { selfHosted: { thresholdEur: '1000' } }],
  [{}, { selfHosted: { thresholdEur: '0' } }, { selfHosted: { thresholdEur: '0' } }],
  [{}, { selfHosted: { thresholdEur: 0 } }, { selfHosted: { thresholdEur: '0' } }],
  [
    { selfHosted: { thresholdEur: '5' } },
    { selfHosted: { thresholdEur: null } },
    { selfHosted: { thresholdEur: null } },
  ],
  [{ selfHosted: { thresholdEur: '5' } }, { selfHosted: {} }, { selfHosted: { thresholdEur: '5' } }],
])('%j patched with %j stores %j', (stored, patch, expected) => {
  expect(patched(stored, patch)).toEqual(expected);
});

test('no limit and no choice are told apart', () => {
  expect(settingsOf({ selfHosted: { thresholdEur: null } }).selfHosted.thresholdEur).toBeNull();
  expect(settingsOf({ selfHosted: {} }).selfHosted.thresholdEur).toBe('1000');
});
