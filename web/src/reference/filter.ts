import { find, findAll, make, operations } from './elements.ts';
import { reveal } from './folding.ts';

/** A parameter, field or error of a call. */
interface Row {
  readonly element: HTMLElement;
  readonly name: string;
  /** Its name and description, in lower case. */
  readonly text: string;
}

/** A call, with its search terms. */
interface Call {
  readonly element: HTMLDetailsElement;
  readonly link: HTMLElement;
  /** Its method, path and title, in lower case. */
  readonly text: string;
  readonly rows: readonly Row[];
}

/** The most parameters, fields and errors that are listed below a call. */
const MAX_HITS = 5;

/** Shows only the calls that have the words in the search box, while the reader types. */
export function startFilter(): void {
  const input = find<HTMLInputElement>('#filter');
  let calls: readonly Call[] | undefined;
  const apply = () => {
    calls ??= operations().map(readCall);
    filter(calls, wordsOf(input.value));
  };
  input.addEventListener('input', apply);
  document.addEventListener('keydown', (event) => focusOnSlash(event, input));
  // Browsers keep the typed text when a page is reloaded.
  if (input.value !== '') apply();
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

function readCall(element: HTMLDetailsElement): Call {
  const { id } = find('section', element);
  return {
    element,
    link: find(`.side a[href="#${id}"]`),
    text: textOf(find('summary', element)),
    rows: findAll('section > dl > dt', element).map(readRow),
  };
}

function readRow(element: HTMLElement): Row {
  const name = find('code', element).textContent ?? '';
  return {
    element,
    name,
    text: `${name} ${element.nextElementSibling?.textContent}`.toLowerCase(),
  };
}

function textOf({ textContent }: HTMLElement): string {
  return (textContent ?? '').toLowerCase();
}

function filter(calls: readonly Call[], words: readonly string[]): void {
  for (const hits of findAll('.hits')) hits.remove();
  const found = calls.filter((call) => show(call, words));
  document.body.classList.toggle('filtered', words.length > 0);
  find('#filter-outcome').textContent = words.length === 0 ? '' : outcome(found.length);
}

function outcome(found: number): string {
  if (found === 0) return 'No call matches these words.';
  return found === 1 ? '1 call' : `${found} calls`;
}

/** Shows or hides a call; returns whether it is shown. */
function show({ element, link, text, rows }: Call, words: readonly string[]): boolean {
  const missing = words.filter((word) => !text.includes(word));
  const hits = missing.length === 0 ? [] : rows.filter((row) => hasAll(row.text, missing));
  const isShown = missing.length === 0 || hits.length > 0;
  element.hidden = !isShown;
  link.hidden = !isShown;
  if (hits.length > 0) element.after(hitList(element, byName(hits, missing)));
  return isShown;
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Puts rows with the words in their names first. */
function byName(rows: readonly Row[], words: readonly string[]): readonly Row[] {
  const isNamed = ({ name }: Row) => hasAll(name.toLowerCase(), words);
  return [...rows.filter(isNamed), ...rows.filter((row) => !isNamed(row))];
}

/** Links to the rows of a call that contain the words. */
function hitList(operation: HTMLDetailsElement, rows: readonly Row[]): HTMLElement {
  const items = rows.slice(0, MAX_HITS).map(({ element, name }) => {
    const link = make('a', { href: '#' }, make('code', {}, name));
    link.addEventListener('click', (event) => {
      event.preventDefault();
      reveal(operation, element);
      element.tabIndex = -1;
      element.focus({ preventScroll: true });
    });
    return make('li', {}, link);
  });
  const others = rows.length - items.length;
  const rest = others > 0 ? [make('li', {}, make('span', {}, `and ${others} more`))] : [];
  return make('ul', { className: 'hits' }, ...items, ...rest);
}

/** As on the other pages, `/` leads to the search. */
function focusOnSlash(event: KeyboardEvent, input: HTMLInputElement): void {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target instanceof Element && target.matches('input, textarea, select');
  if (key !== '/' || ctrlKey || metaKey || altKey || isTyping) return;
  event.preventDefault();
  input.select();
}
