// The parts that the page of the portal is made of. Texts are inserted as text nodes, never as HTML.

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string} [text]
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [fields]
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, text, fields = {}) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  Object.assign(element, fields);
  return element;
}

/** @param {string} text */
export function showState(text) {
  byId('state').textContent = text;
}

/** @param {string} text */
export function showTrouble(text) {
  byId('trouble').textContent = text;
  byId('trouble').hidden = text === '';
}

let enterAgain = () => {};

/**
 * Sets what lets the person in again when the session is over in the middle of something.
 * @param {() => void} enter
 */
export function onSessionOver(enter) {
  enterAgain = enter;
}

/**
 * Runs an action once at a time; what goes wrong is told.
 * @param {HTMLButtonElement} made
 * @param {() => Promise<void>} action
 */
async function run(made, action) {
  made.disabled = true;
  showTrouble('');
  try {
    await action();
  } catch (error) {
    showTrouble(error instanceof TypeError ? 'The service cannot be reached. Try again.' : messageOf(error));
    if (/** @type {{ status?: number }} */ (error).status === 401) enterAgain();
  }
  made.disabled = false;
}

/** @param {unknown} error */
export function messageOf(error) {
  return /** @type {{ message?: string }} */ (error).message || 'That did not work.';
}

/**
 * `main`: what most visitors came for. `final`: what cannot be taken back.
 * @typedef {'main' | 'final' | ''} Weight
 */

/**
 * @param {string} text
 * @param {() => Promise<void>} action
 * @param {Weight} [className]
 */
export function button(text, action, className = '') {
  const made = make('button', text, { type: 'button', className });
  made.addEventListener('click', () => void run(made, action));
  return made;
}

/**
 * A form with one button; Enter sends it.
 * @param {{ text: string, className?: Weight }} sending its button
 * @param {() => Promise<void>} action
 * @param {Node[]} parts
 */
export function form({ text, className = '' }, action, ...parts) {
  const made = make('form');
  const send = make('button', text, { className });
  made.append(...parts, send);
  made.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(send, action);
  });
  return made;
}

/**
 * @param {string} title
 * @param {Node[]} parts
 */
export function section(title, ...parts) {
  const made = make('section');
  made.append(make('h2', title, { tabIndex: -1 }), ...parts);
  return made;
}

/**
 * @template {HTMLElement} Field
 * @param {string} text
 * @param {Field} field an element with an id
 * @returns {[HTMLLabelElement, Field]}
 */
export function labelled(text, field) {
  return [make('label', text, { htmlFor: field.id }), field];
}

/**
 * Names with their values, several of one name as points; those without a value are left out.
 * @param {Record<string, string | number | string[] | null | undefined>} facts
 */
export function list(facts) {
  const made = make('dl');
  for (const [name, value] of Object.entries(facts)) {
    if (value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length))
      continue;
    const shown = make('dd', Array.isArray(value) ? '' : String(value));
    if (Array.isArray(value)) shown.append(points(value));
    made.append(make('dt', name), shown);
  }
  return made;
}

/** @param {string[]} texts */
function points(texts) {
  const made = make('ul');
  made.append(...texts.map((text) => make('li', text)));
  return made;
}

/**
 * Shows sections in the place of those before, and tells those who do not see it.
 * @param {Node[]} sections
 */
export function show(...sections) {
  const before = byId('page').childElementCount;
  byId('page').replaceChildren(...sections);
  const heading = byId('page').querySelector('h2');
  if (before > 0 && heading) heading.focus();
}

/**
 * A copy of what is shown, as a file of this name or on paper.
 * @param {string} name
 * @param {object} shown
 */
export function keepCopy(name, shown) {
  const made = section(
    'Keep a copy',
    button('Download as JSON', async () => download(name, shown)),
    button('Print, or save as PDF', async () => window.print()),
  );
  made.className = 'screen-only';
  return made;
}

/**
 * @param {string} name
 * @param {object} shown
 */
function download(name, shown) {
  const content = new Blob([JSON.stringify(shown, null, 2)], { type: 'application/json' });
  const url = URL.createObjectURL(content);
  make('a', '', { href: url, download: `${name}.json` }).click();
  URL.revokeObjectURL(url);
}
