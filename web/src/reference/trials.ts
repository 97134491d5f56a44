import type { Static } from 'typebox';
import type { SessionView } from '../../../src/dashboard/views.ts';
import { find, findAll, make } from './elements.ts';

/** The headers of answers that the reader sees. */
const SHOWN_HEADERS = [
  'X-RateLimit-Remaining',
  'X-RateLimit-Limit',
  'X-RateLimit-Reset',
  'Retry-After',
  'ETag',
  'Link',
  'X-Request-Id',
];

type FormField = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Sends the requests that the reader fills in, with the reader's API key. */
export function startTrials(): void {
  const keys = findAll<HTMLInputElement>('[data-key]');
  for (const field of keys) {
    field.addEventListener('input', () => useEverywhere(keys, field.value));
  }
  for (const trial of findAll<HTMLDetailsElement>('.trial')) {
    trial.addEventListener('toggle', () => explainKeys(), { once: true });
    trial.addEventListener('submit', (event) => {
      event.preventDefault();
      send(trial);
    });
  }
}

/** Fills in the key everywhere. It is stored only in these fields (ASVS 14.3.3). */
function useEverywhere(fields: readonly HTMLInputElement[], key: string): void {
  for (const field of fields) field.value = key;
}

let session: Promise<Static<typeof SessionView> | undefined> | undefined;

/** Shows where the reader gets a key. The reader may be signed in. */
async function explainKeys(): Promise<void> {
  session ??= fetchSession();
  const known = await session;
  if (!known) return;
  const help = helpFor(known);
  for (const place of findAll('[data-key-help]')) {
    place.replaceChildren(...help.map((part) => part.cloneNode(true)));
  }
}

async function fetchSession(): Promise<Static<typeof SessionView> | undefined> {
  try {
    const { data } = await (await fetch('/dashboard/session')).json();
    return data;
  } catch {
    return undefined;
  }
}

function helpFor({ account, signUp }: Static<typeof SessionView>): readonly Node[] {
  const text = (words: string) => document.createTextNode(words);
  const link = (href: string, words: string) => make('a', { href }, words);
  if (account) {
    return [
      text(
        `You are signed in as ${account.email}. Use one of your keys: Cardprice shows a key only once, so `,
      ),
      link('/keys', 'create another'),
      text(' if you do not have it at hand. Calls count against the quota of your account.'),
    ];
  }
  if (signUp === 'off') {
    return [link('/sign-in', 'Sign in'), text(' to create a key. The operator creates accounts.')];
  }
  return [
    text('No key yet? '),
    link('/sign-up', 'Sign up'),
    text(' and create one, or '),
    link('/keys', 'sign in'),
    text('.'),
  ];
}

/** Sends the request of a form and shows the answer. */
async function send(trial: HTMLElement): Promise<void> {
  const status = find('[role=status]', trial);
  const place = find('.answer', trial);
  status.textContent = 'Sending…';
  place.replaceChildren();
  try {
    const { url, init } = requestOf(find<HTMLFormElement>('form', trial));
    const start = performance.now();
    const response = await fetch(url, init);
    const body = await response.text();
    const elapsed = Math.round(performance.now() - start);
    status.replaceChildren(
      make('strong', {}, `${response.status} ${response.statusText}`),
      ` in ${elapsed} ms: ${init.method} ${url}`,
    );
    place.replaceChildren(headersOf(response), bodyOf(body));
  } catch (error) {
    status.textContent = `The request could not be sent: ${error instanceof Error ? error.message : error}`;
  }
}

/** Returns the request of a form. The key is in a header, never in the address. */
function requestOf(form: HTMLFormElement): { url: string; init: RequestInit } {
  const { method = 'GET', path = '' } = form.dataset;
  const query = new URLSearchParams();
  const headers = new Headers({
    'X-API-Key': find<HTMLInputElement>('[data-key]', form).value.trim(),
  });
  let filled = path;
  let body: string | undefined;
  for (const { name, value, dataset } of findAll<FormField>('[data-in]', form)) {
    if (dataset.in === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'body') body = value;
    else if (value === '') continue;
    else if (dataset.in === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  if (body !== undefined) headers.set('Content-Type', 'application/json');
  const url = query.size > 0 ? `${filled}?${query}` : filled;
  // Without the cache and cookies of the browser, so the answer is the one that a program gets.
  const init = {
    method,
    headers,
    cache: 'no-store',
    credentials: 'omit',
    ...(body !== undefined && { body }),
  } as const;
  return { url, init };
}

function headersOf({ headers }: Response): HTMLElement {
  const rows = SHOWN_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [make('dt', {}, make('code', {}, name)), make('dd', {}, value)];
  });
  return make('dl', {}, ...rows);
}

function bodyOf(text: string): HTMLElement {
  const pre = make('pre', { tabIndex: 0 }, make('code', {}, indented(text)));
  pre.role = 'region';
  pre.ariaLabel = 'Answer to the request';
  return pre;
}

/** Returns JSON with one line per member; other texts unchanged. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
