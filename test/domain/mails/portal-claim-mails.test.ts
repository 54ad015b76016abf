import { claimMail, claimReminderMail } from '../../../domain/mails/portal-claim-mails.ts';
import { endOfWorkingDays } from '../../../domain/claims/working-days.ts';

test.each([
  ['America/New_York', '2026-11-25'],
  ['UTC', '2026-11-25'],
  ['Asia/Tokyo', '2026-11-25'],
])('the mail names the day of the deadline by the clocks of the tenant: %s', (timeZone, day) => {
  const deadlineAt = endOfWorkingDays(new Date('2026-11-24T12:00:00Z'), 1, timeZone);
  const link = 'https://waybill.example/portal#token';
  const input = { to: 'ops@vasp.example', tenantName: 'Alpine', link, deadlineAt, timeZone };
  for (const { text } of [claimMail(input), claimReminderMail(input)])
    expect(text).toContain(`expected by ${day} (${timeZone})`);
});
