import { addDecimals } from '../../../domain/decimal.ts';
import { boundsOf, oldestKept, reportableMonths, requireReportable } from '../../../domain/reports/month.ts';
import { monthAt } from '../../../domain/tenants/local-month.ts';
import { REPORT_COLUMNS, reportCells } from '../../../domain/reports/report-row.ts';
import { startTally } from '../../../domain/reports/tally.ts';
import { transactionRecord } from '../../factories/transaction-record.ts';

describe('a month in a time zone', () => {
  test.each([
    ['UTC', '2026-10', '2026-10-01T00:00:00.000Z', '2026-11-01T00:00:00.000Z'],
    ['Europe/Zurich', '2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['Europe/Zurich', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['Asia/Kathmandu', '2026-02', '2026-01-31T18:15:00.000Z', '2026-02-28T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-01', '2025-12-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-12', '2026-12-01T11:00:00.000Z', '2027-01-01T11:00:00.000Z'],
    // Its first hour did not exist: the clocks went forward at midnight.
    ['America/Asuncion', '2017-10', '2017-10-01T04:00:00.000Z', '2017-11-01T03:00:00.000Z'],
    // Its first hour came twice.
    ['America/Havana', '2015-11', '2015-11-01T04:00:00.000Z', '2015-12-01T05:00:00.000Z'],
  ])('%s %s begins at %s and ends at %s', (timeZone, month, from, until) => {
    const bounds = boundsOf({ month, timeZone });
    expect([bounds.from.toISOString(), bounds.until.toISOString()]).toEqual([from, until]);
  });

  test.each([
    'UTC',
    'Europe/Zurich',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'America/Caracas',
    'Pacific/Apia',
  ])('%s: every instant is in one month, and no other', (timeZone) => {
    const months = reportableMonths(timeZone, new Date(0), new Date('2019-01-15T00:00:00Z'));
    let end: number | undefined;
    for (const month of months) {
      const { from, until } = boundsOf({ month, timeZone });
      if (end !== undefined) expect(from.getTime()).toBe(end);
      expect(monthAt(from, timeZone)).toBe(month);
      expect(monthAt(new Date(until.getTime() - 1), timeZone)).toBe(month);
      end = until.getTime();
    }
    expect(months).toHaveLength(36);
  });
});

describe('the months that can be reported', () => {
  const now = new Date('2026-11-23T12:00:00Z');

  test('are the latest 36 that are over, and not those before the tenant', () => {
    expect(reportableMonths('UTC', new Date(0), now)).toHaveLength(36);
    expect(reportableMonths('UTC', new Date('2026-09-30T23:59:59Z'), now)).toEqual(['2026-09', '2026-10']);
    expect(reportableMonths('Europe/Zurich', new Date('2026-09-30T23:59:59Z'), now)).toEqual(['2026-10']);
    expect(reportableMonths('UTC', new Date('2026-11-02T00:00:00Z'), now)).toEqual([]);
  });

  test.each([
    ['2026-13', 'invalid_format'],
    ['2026-1', 'invalid_format'],
    ['2026-10-01', 'invalid_format'],
    ['２０２６-10', 'invalid_format'],
    ['2026-10\n', 'invalid_format'],
    ['2026-11', 'month_not_over'],
    ['2027-01', 'month_not_over'],
    ['9999-12', 'month_not_over'],
    ['2023-10', 'month_too_old'],
    ['0000-01', 'month_too_old'],
  ])('%j is refused: %s', (month, code) => {
    const refusal = () => {
      try {
        return requireReportable(month, 'UTC', now);
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).toMatchObject({ details: { errors: [{ pointer: '/ym', code }] } });
  });

  test('a month ends where the tenant is, and settles for five minutes', () => {
    const at = (time: string) => () => requireReportable('2026-10', 'Europe/Zurich', new Date(time));
    expect(at('2026-10-31T23:04:59.999Z')).toThrow('five minutes');
    expect(at('2026-10-31T23:05:00.000Z')()).toBe('2026-10');
    expect(requireReportable('2023-11', 'UTC', now)).toBe('2023-11');
  });

  test.each(['UTC', 'Pacific/Pago_Pago', 'Pacific/Kiritimati'])('none of them is removed: %s', (timeZone) => {
    for (const time of ['2026-11-01T00:00:00Z', '2026-11-30T23:59:59Z', '2026-12-01T12:00:00Z']) {
      const [oldest = ''] = reportableMonths(timeZone, new Date(0), new Date(time));
      expect(oldest >= oldestKept(new Date(time))).toBe(true);
    }
  });
});

test('sums are exact', () => {
  expect(addDecimals('0.1', '0.2')).toBe('0.3');
  expect(addDecimals('0', '12.500')).toBe('12.5');
  expect(addDecimals('99999999999999999999.9', '0.1')).toBe('100000000000000000000');
});

test('totals count each row once, and volumes what has a price', () => {
  const tally = startTally();
  const outgoing = {
    direction: 'OUTGOING',
    status: 'CONFIRMED',
    amountUsd: '0.1',
    amountEur: '0.2',
  } as const;
  tally.count(outgoing);
  tally.count({ ...outgoing, amountUsd: '0.2', status: 'DECLINED' });
  tally.count({ ...outgoing, direction: 'INCOMING', amountUsd: null });
  expect(tally.rows()).toBe(3);
  expect(tally.totals()).toEqual({
    byDirection: {
      OUTGOING: { transactions: 2, volumeUsd: '0.3', volumeEur: '0.4', unvalued: 0 },
      INCOMING: { transactions: 1, volumeUsd: '0', volumeEur: '0.2', unvalued: 1 },
    },
    byStatus: { PENDING: 0, DELIVERED: 0, CONFIRMED: 2, DECLINED: 1, FAILED: 0, CANCELLED: 0 },
  });
});

describe('the name of the counterparty', () => {
  const nameIn = (overrides: Parameters<typeof transactionRecord>[0], directoryName: string | null) =>
    reportCells({ record: transactionRecord(overrides), directoryName })[
      REPORT_COLUMNS.indexOf('counterpartyName')
    ];
  const vaspInfo = { beneficiaryVaspName: 'Given Beneficiary', originatorVaspName: 'Given Originator' };

  test('is the given one of the other side, else that of the directory', () => {
    const given = { personal: { vaspInfo } };
    expect(nameIn({ direction: 'OUTGOING', ...given }, 'Directory')).toBe('Given Beneficiary');
    expect(nameIn({ direction: 'INCOMING', ...given }, 'Directory')).toBe('Given Originator');
    expect(nameIn({ direction: 'INCOMING', ...given, sealed: true }, 'Directory')).toBe('Directory');
    expect(nameIn({ direction: 'INCOMING', ...given, sealed: true }, null)).toBeNull();
  });
});
