import { useEffect, useState } from 'preact/hooks';

/** Keyboard shortcuts for lists of entries. */

/** Marks an entry that keys can move to and act on. */
const ENTRY = '[data-entry]';

/** Elements in which letters are typed, or select from a list. */
const TYPING = 'textarea, select, input:not([type="checkbox"]), dialog *';

/**
 * Lets keys press the buttons that declare them as `aria-keyshortcuts`: the button of the focused
 * entry, or one outside of all entries. `j` and `k` move the focus to the next and the previous
 * entry.
 */
export function useEntryKeys(areOn: boolean): void {
  useEffect(() => {
    if (!areOn) return undefined;
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [areOn]);
}

function press(event: KeyboardEvent): void {
  const { target, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey || !(target instanceof Element)) return;
  if (target.matches(TYPING)) return;
  const key = event.key.toLowerCase();
  const entry = target.closest<HTMLElement>(ENTRY);
  const step = STEPS[key];
  const next = step === undefined ? undefined : neighbour(entry, step);
  const button = buttonOf(key, entry);
  if (!next && !button) return;
  event.preventDefault();
  next?.focus();
  button?.click();
}

const STEPS: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 };

/** Returns the entry after or before one; from outside of all entries, the first or last one. */
function neighbour(entry: HTMLElement | null, step: 1 | -1): HTMLElement | undefined {
  const entries = [...document.querySelectorAll<HTMLElement>(ENTRY)];
  if (!entry) return entries.at(step === 1 ? 0 : -1);
  return entries[entries.indexOf(entry) + step];
}

function buttonOf(key: string, entry: HTMLElement | null): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]');
  const buttons = [...all].filter((one) => one.getAttribute('aria-keyshortcuts') === key);
  const own = entry && buttons.find((button) => entry.contains(button));
  return own ?? buttons.find((button) => !button.closest(ENTRY));
}

/** Whether the focus is in an entry. */
export function isInEntry(): boolean {
  return Boolean(document.activeElement?.closest(ENTRY));
}

/**
 * Moves the focus from an entry that is about to disappear to the next one, or to the previous one.
 * After the only entry, moves it to the heading of the page.
 */
export function leaveEntry(): void {
  const entry = document.activeElement?.closest<HTMLElement>(ENTRY) ?? null;
  const next = entry && (neighbour(entry, 1) ?? neighbour(entry, -1));
  (next ?? document.querySelector('h1'))?.focus();
}

const SETTING = 'cardprice-entry-keys';

/** Returns whether the reader uses the keys, and a function that turns them on or off. */
export function useKeysSetting(): readonly [boolean, (areOn: boolean) => void] {
  const [areOn, setOn] = useState(readSetting);
  const turn = (on: boolean) => {
    setOn(on);
    try {
      localStorage.setItem(SETTING, on ? 'on' : 'off');
    } catch {
      // The choice lasts until the page is closed.
    }
  };
  return [areOn, turn];
}

function readSetting(): boolean {
  try {
    return localStorage.getItem(SETTING) !== 'off';
  } catch {
    return true;
  }
}
