import { html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { HostedVerification, StepKind } from '../hosted-verification.ts';
import { closeCamera, hasCamera, openCamera, takePicture } from '../camera.ts';
import { acceptedTypes, addFiles, FILE_RULES, forgetFiles, type ChosenFile } from '../chosen-files.ts';
import { percentIn, sizeIn } from '../format.ts';
import type { WordKey } from '../language.ts';
import type { HostedPage } from '../page.ts';
import { NoAnswer, type Upload } from '../verification-calls.ts';
import { actionButton, backButton, screenHeading, troubleAt, type PageContent } from './parts.ts';

type FilePurpose = 'VISUAL_PROOF' | StepKind;

interface PurposeWords {
  title: WordKey;
  hint: WordKey;
  limits: WordKey;
  facing: 'user' | 'environment';
}

const PURPOSES: Record<FilePurpose, PurposeWords> = {
  VISUAL_PROOF: { title: 'showTitle', hint: 'showHint', limits: 'fileLimits', facing: 'environment' },
  SOURCE_OF_FUNDS_WEALTH: {
    title: 'stepSourceTitle',
    hint: 'stepSourceAbout',
    limits: 'fileLimitsNoVideo',
    facing: 'environment',
  },
  SELFIE: { title: 'stepSelfieTitle', hint: 'stepSelfieAbout', limits: 'fileLimitsNoPdf', facing: 'user' },
};

const SENDING = 'send-files';
const CAMERA = 'camera';

/** Files as a proof or for an additional step: chosen or taken, checked one by one, sent with progress. */
export function filesView(page: HostedPage, purpose: FilePurpose): PageContent {
  const { say, files, progress } = page.state;
  const words = PURPOSES[purpose];
  const rules = FILE_RULES[purpose];
  const isFull = files.length >= rules.count;
  return html`<section>
    ${backButton(page, say(purpose === 'VISUAL_PROOF' ? 'useOther' : 'back'))}
    ${screenHeading(say(words.title))}
    <p>${say(words.hint)}</p>
    <p class="note">${say(words.limits, { count: rules.count })}</p>
    ${isFull || progress !== null ? nothing : chooserView(page, purpose)} ${listView(page)}
    ${
      progress === null
        ? actionButton(page, {
            control: SENDING,
            label: say('sendFiles'),
            isMain: true,
            action: async () => await send(page, purpose),
          })
        : progressView(page, progress)
    }
  </section>`;
}

function chooserView(page: HostedPage, purpose: FilePurpose): PageContent {
  const { say, files, camera } = page.state;
  const rules = FILE_RULES[purpose];
  const choose = (event: Event) => {
    const field = event.target as HTMLInputElement;
    page.set({ files: addFiles(files, [...(field.files ?? [])], rules), trouble: null });
    field.value = '';
  };
  return html`<p class="actions">
      <label class="button">
        ${say('chooseFiles')}
        <input type="file" class="unseen" multiple accept=${acceptedTypes(rules)} @change=${choose} />
      </label>
      ${
        hasCamera() && !camera
          ? actionButton(page, {
              control: CAMERA,
              label: say('takePhoto'),
              action: async () => await openCamera(page, PURPOSES[purpose].facing),
            })
          : nothing
      }
    </p>
    ${camera ? cameraView(page, camera, purpose) : nothing}`;
}

/** The stream is guarded: set again by each drawing of the page, it would begin anew. */
function cameraView(page: HostedPage, camera: MediaStream, purpose: FilePurpose): PageContent {
  const { say } = page.state;
  const shoot = async () => {
    const video = document.querySelector('video');
    if (!video) return;
    const taken = await takePicture(video);
    page.set({ files: addFiles(page.state.files, [taken], FILE_RULES[purpose], 'CAMERA') });
    closeCamera(page);
  };
  return html`<div class="camera">
    <video
      .srcObject=${guard([camera], () => camera)}
      autoplay
      playsinline
      .muted=${true}
      aria-label=${say('cameraPicture')}
    ></video>
    <p class="actions">
      ${actionButton(page, { control: 'shoot', label: say('shoot'), isMain: true, action: shoot })}
      <button type="button" @click=${() => closeCamera(page)}>${say('closeCamera')}</button>
    </p>
  </div>`;
}

function listView(page: HostedPage): PageContent {
  const { say, files } = page.state;
  if (files.length === 0) return nothing;
  return html`<h3>${say('chosenFiles')}</h3>
    <ul class="files">
      ${files.map((chosen) => fileView(page, chosen))}
    </ul>`;
}

function fileView(page: HostedPage, chosen: ChosenFile): PageContent {
  const { say, language, files, progress } = page.state;
  const { file, fault, preview } = chosen;
  const remove = () => {
    forgetFiles([chosen]);
    page.set({ files: files.filter((one) => one !== chosen), trouble: null });
  };
  return html`<li>
    ${preview === null ? html`<span class="preview"></span>` : html`<img class="preview" src=${preview} alt="" />`}
    <div>
      <span class="file-name">${file.name}</span>
      <small class=${fault === null ? 'fine' : 'faulty'}>
        ${sizeIn(language, file.size)} · ${say(fault ?? 'fileFine')}
      </small>
    </div>
    ${
      progress === null
        ? html`<button
            type="button"
            class="small"
            aria-label=${say('remove', { file: file.name })}
            @click=${remove}
          >
            <span aria-hidden="true">×</span>
          </button>`
        : nothing
    }
  </li>`;
}

let sending: AbortController | null = null;

function progressView(page: HostedPage, progress: number): PageContent {
  const { say, language } = page.state;
  return html`<div class="panel">
      <p>${say('sendingFiles', { percent: percentIn(language, progress) })}</p>
      <progress aria-label=${say('uploadLabel')} max="1" value=${progress}></progress>
      <p><button type="button" @click=${() => sending?.abort()}>${say('cancel')}</button></p>
    </div>
    ${troubleAt(page, SENDING)}`;
}

/** Sends the files. They stay when that fails, so that it can be tried again. */
async function send(page: HostedPage, purpose: FilePurpose): Promise<void> {
  const { files, say } = page.state;
  const fault =
    files.length === 0 ? 'filesMissing' : files.some((one) => one.fault !== null) ? 'filesFaulty' : null;
  if (fault !== null) {
    page.set({ trouble: { at: SENDING, text: say(fault) } });
    return;
  }
  sending = new AbortController();
  const { signal } = sending;
  const onProgress = (share: number) => page.set({ progress: share });
  page.set({ progress: 0 });
  try {
    page.show(
      await sendAs(page, purpose, { files: files.map(({ file }) => file), parts: {}, onProgress, signal }),
    );
    if (purpose !== 'VISUAL_PROOF') page.open('HOME');
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof NoAnswer)) throw error;
    page.set({ trouble: { at: SENDING, text: say('uploadLost') }, isOffline: !navigator.onLine });
  }
}

async function sendAs(page: HostedPage, purpose: FilePurpose, upload: Upload): Promise<HostedVerification> {
  if (purpose === 'VISUAL_PROOF')
    return await page.calls.proveByFiles({ ...upload, parts: { verificationFlow: 'VISUAL_PROOF' } });
  const sources = page.state.files.map(({ source }) => source);
  const parts: Record<string, string> = purpose === 'SELFIE' ? { metadata: JSON.stringify({ sources }) } : {};
  return await page.calls.submitStep(purpose, { ...upload, parts });
}
