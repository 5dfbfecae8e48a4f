/**
 * A browser for scripts, for use as SVC_BROWSER. It opens the given address, presses Approve on the consent page, and follows the
 * redirects. It only needs a form with an Approve button.
 */
const [address] = process.argv.slice(2);
if (address === undefined) throw new Error('Give an address.');

const cookies = new Map<string, string>();

let response = await visit(address);
if ((response.headers.get('content-type') ?? '').startsWith('text/html') && response.status === 200) {
  const page = await response.text();
  const form = /<form\b[^>]*>[\s\S]*?<\/form>/gi.exec(page)?.[0];
  if (form === undefined) throw new Error(`There is no form at ${new URL(address).pathname}.`);
  const target = new URL(attribute(form, 'action') ?? '', response.url);
  response = await visit(target.href, fields(form));
}
if (!response.ok) throw new Error(`The redirects ended with the status ${response.status}.`);

/** Sends a request and follows its redirects. Keeps cookies like a browser. */
async function visit(url: string, body?: URLSearchParams): Promise<Response> {
  const headers = {
    accept: 'text/html',
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    origin: new URL(url).origin,
  };
  const answer = await fetch(
    url,
    body === undefined ? { headers, redirect: 'manual' } : { method: 'POST', headers, body, redirect: 'manual' },
  );
  for (const cookie of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = cookie.split(';', 1)[0]?.split('=') ?? [];
    cookies.set(name, value);
  }
  const location = answer.headers.get('location');
  return location === null ? answer : visit(new URL(location, url).href);
}

/** Returns the form fields that pressing Approve sends: the hidden fields, the selected user and the button. */
function fields(form: string): URLSearchParams {
  const body = new URLSearchParams();
  for (const [input] of form.matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(input, 'name');
    if (name !== undefined && attribute(input, 'type') === 'hidden') body.append(name, attribute(input, 'value') ?? '');
  }
  const selected = /<select\b[^>]*name="([^"]*)"[\s\S]*?<option\b[^>]*value="([^"]*)"/i.exec(form);
  if (selected?.[1] !== undefined) body.append(selected[1], selected[2] ?? '');
  const button = [...form.matchAll(/<button\b[^>]*>[\s\S]*?<\/button>/gi)].map(([text]) => text).find((text) => />\s*approve/i.test(text));
  if (button === undefined) throw new Error('There is no Approve button.');
  const name = attribute(button, 'name');
  if (name !== undefined) body.append(name, attribute(button, 'value') ?? '');
  return body;
}

function attribute(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1];
  return value?.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
