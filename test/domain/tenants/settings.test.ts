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

test('a tenant that never chose has the defaults', () => {
  const settings = settingsOf({});
  expect(settings).toEqual({ autoConfirmSelfHosted: true, selfHosted: { thresholdEur: '1000' } });
  expect(Settings.parse(settings)).toEqual(settings);
});

test.each<[StoredSettings, unknown, StoredSettings]>([
  [{}, {}, {}],
  [{}, { autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: false }],
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
])('of %j the change %j leaves %j', (stored, body, left) => {
  expect(patched(stored, body)).toEqual(left);
});

test.each<[StoredSettings, Settings]>([
  [{ autoConfirmSelfHosted: false }, { autoConfirmSelfHosted: false, selfHosted: { thresholdEur: '1000' } }],
  [{ selfHosted: {} }, { autoConfirmSelfHosted: true, selfHosted: { thresholdEur: '1000' } }],
  [{ selfHosted: { thresholdEur: '0' } }, { autoConfirmSelfHosted: true, selfHosted: { thresholdEur: '0' } }],
  [
    { selfHosted: { thresholdEur: null } },
    { autoConfirmSelfHosted: true, selfHosted: { thresholdEur: null } },
  ],
])('%j means %j', (stored, settings) => {
  expect(settingsOf(stored)).toEqual(settings);
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
  { colour: 1 },
])('%j is refused', (body) => {
  expect(accepts(body)).toBe(false);
});
