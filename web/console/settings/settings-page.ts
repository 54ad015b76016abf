import { html, nothing } from 'lit';
import { get } from '../exchange.ts';
import { PagePart } from '../part.ts';
import { ApiReading } from '../reading.ts';
import { session } from '../session.ts';
import { accountSection } from './account.ts';
import { brandingSection } from './branding.ts';
import { keySection } from './api-keys.ts';
import { ruleSection } from './tenant-rules.ts';
import { userSection } from './users.ts';
import { webhookSection } from './webhook.ts';

/** What an administrator sets, and everybody’s own account. */
export class SettingsPage extends PagePart {
  #isAdministrator = session.may('ADMINISTER');
  #tenant = new ApiReading(this, async () => await get('/tenant/me'));
  #settings = new ApiReading(this, async () => await get('/tenant/me/settings'));
  #keys = new ApiReading(this, async () => (this.#isAdministrator ? await get('/tenant/me/api-keys') : null));
  #users = new ApiReading(this, async () =>
    this.#isAdministrator ? await get('/users', { query: { _end: '100' } }) : null,
  );

  override render(): unknown {
    const tenantAgain = () => void this.#tenant.again();
    const settingsAgain = () => void this.#settings.again();
    const keysAgain = () => void this.#keys.again();
    const usersAgain = () => void this.#users.again();
    return html`<header class="page-head">
        <div>
          <h1>Settings</h1>
          <p class="dim">
            ${this.#isAdministrator ? 'Of your company and of your own account.' : 'An administrator changes what is your company’s.'}
          </p>
        </div>
      </header>
      ${accountSection(() => this.requestUpdate())}
      ${this.#users.show('the users', (users) => (users === null ? nothing : userSection(users, usersAgain)))}
      ${this.#keys.show('the API keys', (keys) => (keys === null ? nothing : keySection(keys, keysAgain)))}
      ${this.#tenant.show('the company', (tenant) => webhookSection(tenant, tenantAgain))}
      ${this.#settings.show('the settings', (settings) => html`${brandingSection(settings, settingsAgain)}${ruleSection(settings, settingsAgain)}`)}`;
  }
}
