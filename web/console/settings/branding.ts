import { html, nothing } from 'lit';
import { openAct, type DialogAct } from '../act-dialog.ts';
import type { Schemas } from '../api-types.ts';
import { send, toRefusal } from '../exchange.ts';
import { notify } from '../notice.ts';
import { session } from '../session.ts';
import { upload } from '../upload.ts';
import { bytes, facts, section, text } from '../values.ts';

type Branding = Schemas['Settings']['branding'];

/** How the page on which customers prove their wallets looks. */
export function brandingSection({ branding }: Schemas['Settings'], again: () => void): unknown {
  const { displayName, color, logo, icon, frameOrigins } = branding;
  return section(
    'Page for your customers',
    html`${facts([
      ['Name', text(displayName)],
      [
        'Colour',
        color === null
          ? text(null)
          : html`<span class="swatch" .style=${`background: ${color}`}></span> <code>${color}</code>`,
      ],
      ['Logo', fileText(logo)],
      ['Icon', fileText(icon)],
      ['May be framed by', text(frameOrigins.join(', '))],
    ])}
    ${
      session.may('ADMINISTER')
        ? html`<p class="acts">
            <button type="button" @click=${() => openAct(change(branding, again))}>Change</button>
            ${picture('logo', again)} ${picture('icon', again)}
          </p>`
        : nothing
    }`,
  );
}

function fileText(file: Branding['logo']): unknown {
  return file === null ? text(null) : html`${file.fileName} <span class="dim">${bytes(file.size)}</span>`;
}

function picture(kind: 'logo' | 'icon', again: () => void): unknown {
  const choose = (event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? [];
    if (file) void store(kind, file, again);
  };
  return html`<label class="button">
    ${kind === 'logo' ? 'Upload a logo' : 'Upload an icon'}
    <input
      type="file"
      class="unseen"
      accept="image/png,image/jpeg,image/webp,application/pdf"
      @change=${choose}
    />
  </label>`;
}

async function store(kind: 'logo' | 'icon', file: File, again: () => void): Promise<void> {
  const form = new FormData();
  form.append('file', file);
  try {
    await upload(`/tenant/me/settings/${kind}`, form, () => undefined);
    notify(kind === 'logo' ? 'The logo is stored.' : 'The icon is stored.');
  } catch (error) {
    notify(toRefusal(error).message);
  }
  again();
}

function change({ displayName, color, frameOrigins }: Branding, again: () => void): DialogAct {
  return {
    key: 'branding',
    title: 'Page for your customers',
    label: 'Save',
    fields: [
      { name: 'displayName', label: 'Name', kind: 'text', value: displayName ?? '' },
      { name: 'color', label: 'Colour', kind: 'text', value: color ?? '', hint: 'As #3d4fb8.' },
      {
        name: 'frameOrigins',
        label: 'Origins that may frame it',
        kind: 'text',
        value: frameOrigins.join(' '),
        hint: 'Separated by blanks, as https://app.example.com.',
      },
    ],
    run: async ({ displayName: name = '', color: chosen = '', frameOrigins: origins = '' }) => {
      const body = {
        branding: {
          displayName: name.trim() === '' ? null : name.trim(),
          color: chosen.trim() === '' ? null : chosen.trim(),
          frameOrigins: origins.split(/\s+/).filter((origin) => origin !== ''),
        },
      };
      await send('PATCH', '/tenant/me/settings', { body });
      again();
      return 'It is saved.';
    },
  };
}
