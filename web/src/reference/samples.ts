import { find, findAll } from './elements.ts';

/** The key under which the browser stores the language of samples. */
const STORAGE = 'cardprice-language';

/** How long a button shows the outcome. */
const SHOWN_MS = 3_000;

/** Shows all samples in the language that the reader has chosen, and copies them. */
export function startSamples(): void {
  choose(remembered());
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    choose(target.value);
    remember(target.value);
  });
  for (const button of findAll<HTMLButtonElement>('.copy')) {
    button.addEventListener('click', () => copy(button));
  }
}

function choose(language: string): void {
  for (const radio of findAll<HTMLInputElement>('.samples [type=radio]')) {
    if (radio.value === language) radio.checked = true;
  }
}

function remembered(): string {
  try {
    return localStorage.getItem(STORAGE) ?? '';
  } catch {
    return '';
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(STORAGE, language);
  } catch {
    // The choice lasts until the page is closed.
  }
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const samples = button.parentElement ?? document;
  const { value } = find<HTMLInputElement>(':checked', samples);
  try {
    await navigator.clipboard.writeText(find(`[data-language=${value}] pre`, samples).innerText);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Select the text instead';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, SHOWN_MS);
}
