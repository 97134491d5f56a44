import { find, operations } from './elements.ts';

/** Opens the call that the address leads to, and lets a button open or close all calls. */
export function startFolding(): void {
  const button = find('.open-all');
  button.addEventListener('click', () => {
    const shown = operations().filter(({ hidden }) => !hidden);
    const willOpen = shown.some(({ open }) => !open);
    for (const operation of shown) operation.open = willOpen;
    button.textContent = willOpen ? 'Close all' : 'Open all';
  });
  addEventListener('hashchange', openTarget);
  openTarget();
}

/** Browsers scroll to the target themselves, but not all of them open the elements around it. */
function openTarget(): void {
  const target = document.getElementById(location.hash.slice(1));
  const operation = target?.closest<HTMLDetailsElement>('.operation');
  if (operation) reveal(operation, operation);
}

/** Opens a call and scrolls to a part of it. */
export function reveal(operation: HTMLDetailsElement, part: HTMLElement): void {
  operation.open = true;
  part.scrollIntoView();
}
