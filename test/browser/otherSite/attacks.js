/**
 * What the page of another site tries against the studio. Each attack resolves with what it read, and rejects or never
 * ends where the browser lets it read nothing.
 */
const PATIENCE_MS = 1_500;
const CHANGES = '/api/page';
const PASTE = '/api/paste';

const bearer = (token) => ({ headers: { authorization: `Bearer ${token}` } });
const text = (response) => response.text();
const posted = (body) => ({ method: 'POST', mode: 'no-cors', body });
const paste = JSON.stringify({ text: '{}', form: 'plain' });

/** An element that loads an address; resolves with what `read` makes of it. */
function loaded(name, attributes, read = () => 'loaded') {
  return new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(name), attributes);
    element.onload = () => resolve(read(element));
    element.onerror = reject;
    document.body.append(element);
  });
}

/** What a frame of this page shows. */
function framed(src) {
  return loaded('iframe', { src }, ({ contentDocument }) => contentDocument?.body.textContent);
}

/** What a frame of this page shows after a form was sent there. */
function submitted(action, enctype) {
  const frame = Object.assign(document.createElement('iframe'), { name: `frame${document.forms.length}` });
  document.body.append(frame);
  const form = Object.assign(document.createElement('form'), {
    action,
    enctype,
    method: 'POST',
    target: frame.name,
  });
  form.append(Object.assign(document.createElement('input'), { name: paste, value: '' }));
  document.body.append(form);
  return new Promise((resolve) => {
    frame.onload = () => resolve(frame.contentDocument?.body.textContent);
    form.submit();
  });
}

/** The first message of a connection that stays open. */
function heard(connection, names) {
  return new Promise((resolve, reject) => {
    connection.onopen = () => resolve('open');
    connection.onerror = reject;
    for (const name of names) connection.addEventListener(name, ({ data }) => resolve(data));
  });
}

async function opened(url) {
  const other = window.open(url);
  try {
    // Until the browser has left the empty page that is of this site.
    while (other.location.href === 'about:blank') await new Promise((resolve) => setTimeout(resolve, 20));
    return other.document.body.textContent + other.sessionStorage.length;
  } finally {
    other.close();
  }
}

const ATTACKS = {
  'a fetch of the shell': ({ studio }) => fetch(studio).then(text),
  'a fetch with the very token': ({ studio, token }) => fetch(studio + CHANGES, bearer(token)).then(text),
  'a fetch without CORS': ({ studio }) => fetch(studio + CHANGES, { mode: 'no-cors' }).then(text),
  'a paste without CORS': ({ studio }) => fetch(studio + PASTE, posted(paste)).then(text),
  'a paste with the very token': ({ studio, token }) =>
    fetch(studio + PASTE, { method: 'POST', body: paste, ...bearer(token) }).then(text),
  'a beacon': ({ studio }) => navigator.sendBeacon(studio + PASTE, paste) && null,
  'a form': ({ studio }) => submitted(studio + PASTE, 'application/x-www-form-urlencoded'),
  'a form of plain text': ({ studio }) => submitted(studio + PASTE, 'text/plain'),
  'a script': ({ studio }) => loaded('script', { src: studio + CHANGES }),
  'a module': ({ studio }) => import(`${studio}/client.js`).then(() => 'loaded'),
  'an image': ({ studio }) => loaded('img', { src: `${studio}${CHANGES}?image` }),
  'a style sheet': ({ studio }) =>
    loaded('link', { rel: 'stylesheet', href: `${studio}/studio.css` }, ({ sheet }) => sheet.cssRules.length),
  'a frame of the shell': ({ studio, token }) => framed(`${studio}/#token=${token}`),
  'a frame of data': ({ studio }) => framed(studio + CHANGES),
  'an object': ({ studio }) => loaded('object', { data: `${studio}/`, type: 'text/html' }),
  'a window': ({ studio, token }) => opened(`${studio}/#token=${token}`),
  'an EventSource': ({ studio }) => heard(new EventSource(studio + CHANGES), ['message']),
  'a WebSocket': ({ studio }) => heard(new WebSocket(studio.replace('http', 'ws') + CHANGES), ['message']),
  'a worker': ({ studio }) => {
    const source = `importScripts(${JSON.stringify(studio + CHANGES)}); postMessage('loaded')`;
    return heard(new Worker(URL.createObjectURL(new Blob([source]))), ['message']);
  },
  'a login without CORS': ({ http }) => fetch(`${http}/openid`, posted('{}')).then(text),
  'a login by a form': ({ http }) => submitted(`${http}/saml`, 'text/plain'),
  'an invocation without CORS': ({ lambda }) =>
    fetch(`${lambda}/2015-03-31/functions/samlLoggedIn/invocations`, posted('{}')).then(text),
};

/** What was read; null where that is nothing. */
async function attack(name, targets) {
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS, null));
  const read = Promise.resolve()
    .then(() => ATTACKS[name](targets))
    .catch(() => null);
  return (await Promise.race([read, late])) || null;
}

/** What was read by each. */
globalThis.attackAll = async (targets) => {
  const all = Object.keys(ATTACKS).map(async (name) => [name, await attack(name, targets)]);
  return Object.fromEntries(await Promise.all(all));
};
