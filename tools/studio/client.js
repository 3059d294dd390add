/** The page's side: it shows what the server renders for the address in view, and sends forms. It keeps only the token. */

const KEY = 'login-studio-token';
const RETRY_MS = 1_000;
const UNAUTHORIZED = 401;
const MAX_SENT = 10_000_000;
/** What an update leaves as people have it. */
const CHANGED_IN_PLACE = ['open', 'value', 'checked', 'selected'];

const plain = { createHTML: (html) => html };
const policy = globalThis.trustedTypes?.createPolicy('studio', plain) ?? plain;
const byId = (id) => document.getElementById(id);
const touched = new WeakSet();
let token = null;
let shownKey = '';
let following = new AbortController();

/** The token leaves the address, where it would be seen, copied and kept in the history. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) return;
  token = given;
  history.replaceState(null, '', location.pathname);
}

const authorization = () => ({ authorization: `Bearer ${token}` });

/** Follows the view of the address, over again whenever the connection ends. A tab in the background has no connection. */
async function follow() {
  takeToken();
  // Another tab may have a newer one.
  token ??= localStorage.getItem(KEY);
  following.abort();
  following = new AbortController();
  const { signal } = following;
  byId('no-token').hidden = token !== null;
  byId('page').hidden = token === null;
  while (token !== null && !document.hidden && !signal.aborted) {
    const status = await readView(signal).catch(() => 0);
    if (signal.aborted) return;
    if (status === UNAUTHORIZED) return dropToken();
    byId('gone').hidden = false;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** An address with a token of an earlier start must not take the place of one that is good. */
function dropToken() {
  if (localStorage.getItem(KEY) === token) localStorage.removeItem(KEY);
  token = null;
  return follow();
}

/** @returns the status of the response, after its end */
async function readView(signal) {
  const path = `/api/page?${new URLSearchParams({ at: location.hash })}`;
  const response = await fetch(path, { headers: authorization(), signal });
  if (!response.ok) return response.status;
  localStorage.setItem(KEY, token);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop();
    for (const line of lines) if (!signal.aborted) showView(JSON.parse(line));
  }
  return response.status;
}

/** Another view is shown anew; of the same one only what is another is changed. */
function showView({ key, ...parts }) {
  const isOther = key !== shownKey;
  const [view] = key.split(' ');
  const isOtherView = shownKey !== '' && view !== document.body.dataset.view;
  byId('gone').hidden = true;
  document.body.dataset.view = view;
  for (const [id, html] of Object.entries(parts)) {
    if (id === 'main' && isOther) byId(id).replaceChildren(fragmentOf(html));
    else morph(byId(id), fragmentOf(html));
  }
  document.title = `${byId('main').querySelector('h1').textContent} · Login studio`;
  shownKey = key;
  if (!isOther) return;
  byId('main').scrollTop = 0;
  byId('list').querySelector('[aria-current=true]')?.scrollIntoView({ block: 'nearest' });
  if (isOtherView) byId('main').focus();
}

function fragmentOf(html) {
  const template = document.createElement('template');
  template.innerHTML = policy.createHTML(html);
  return template.content;
}

function morph(place, fragment) {
  globalThis.Idiomorph.morph(place, fragment, {
    morphStyle: 'innerHTML',
    ignoreActiveValue: true,
    head: { style: 'none' },
    callbacks: {
      beforeAttributeUpdated: (name, node) =>
        !CHANGED_IN_PLACE.includes(name) || !touched.has(node.closest('select') ?? node),
      // What came of a form: the server does not know that it is there.
      beforeNodeMorphed: (node) => !node.classList?.contains('outcome') || node.childNodes.length === 0,
    },
  });
}

async function send(form, submitter) {
  const data = new FormData(form, submitter);
  const outcome = byId(form.dataset.outcome) ?? form.querySelector('.outcome');
  const isLarge = [...data.values()].some(({ size = 0 }) => size > MAX_SENT);
  if (isLarge)
    return showOutcome(outcome, { message: 'This file has more than 10 MB. Export only the login.' });
  const request = { method: 'POST', headers: authorization(), body: data };
  const response = await fetch(`/api/${form.dataset.action}`, request).catch(() => null);
  const answer = await response?.json().catch(() => null);
  if (response?.status === UNAUTHORIZED) await dropToken();
  showOutcome(outcome, answer ?? { message: 'The studio does not respond. Is npm start still running?' });
}

/** Where to go, or what came of it, in HTML or in words. */
function showOutcome(outcome, { go, open, html, message = '' }) {
  if (go !== undefined) {
    location.hash = go;
    return;
  }
  outcome.replaceChildren(html === undefined ? message : fragmentOf(html));
  if (open !== undefined && /^https?:\/\//.test(open)) location.assign(open);
  outcome.scrollIntoView({ block: 'nearest' });
  outcome.querySelector('[tabindex="-1"]')?.focus();
}

/** A place in the event, with what leads to it. */
function reveal(place) {
  for (let node = place?.closest('details'); node; node = node.parentElement.closest('details')) {
    node.open = true;
    touched.add(node);
  }
  place?.scrollIntoView({ block: 'nearest' });
  place?.focus();
}

async function copy(text, outcome) {
  const copied = navigator.clipboard.writeText(text).then(() => 'Copied');
  outcome.textContent = await copied.catch(() => 'The browser does not let the page copy');
}

const STEPS = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY };

/** The arrow keys choose the next login, as they do in a list of messages. */
function walk(event) {
  const link = event.target.closest('#list a[data-id]');
  const step = STEPS[event.key];
  if (!link || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const links = [...document.querySelectorAll('#list a[data-id]')].filter((one) => one.checkVisibility());
  const next = links[Math.min(Math.max(links.indexOf(link) + step, 0), links.length - 1)];
  next.focus();
  location.replace(next.href);
}

addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  if (form.dataset.action === undefined || form.ariaBusy === 'true') return;
  form.ariaBusy = 'true';
  await send(form, event.submitter).finally(() => {
    form.ariaBusy = 'false';
  });
});
addEventListener('input', ({ target }) => {
  touched.add(target);
  const form = target.closest('form[data-address]');
  if (!form) return;
  // A choice is part of the address, so that it has a link too.
  const chosen = [...new FormData(form)].filter(([, value]) => value !== '');
  location.replace(`${form.dataset.address}?${new URLSearchParams(chosen)}`);
});
addEventListener('click', ({ target }) => {
  const summary = target.closest('summary');
  if (summary) touched.add(summary.parentElement);
  const button = target.closest('button');
  const { copy: text, show } = button?.dataset ?? {};
  if (text !== undefined) copy(text, button.nextElementSibling);
  // The table of an assertion has only a part of the event.
  if (show !== undefined) reveal(byId(show) ?? byId(`whole-${show}`));
});
addEventListener('keydown', walk);
addEventListener('hashchange', follow);
document.addEventListener('visibilitychange', follow);
follow();
