import type { Page } from 'playwright-core';

/**
 * Returns the words of the page that a line break cuts, although a separate line would hold them. A
 * word may break after a hyphen, a slash, an @ and an ellipsis, and data with quotation marks
 * anywhere.
 */
export function brokenWords(page: Page): Promise<string[]> {
  return page.locator('main').evaluate((main) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const block = text.parentElement?.closest('p, li, td, th, dt, dd, h1, h2, h3, div');
      if (!block || block.closest('.sr-only, pre')) continue;
      const { paddingLeft, paddingRight } = getComputedStyle(block);
      const room =
        block.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[^\s/@…-]+/g)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const parts = [...range.getClientRects()];
        const lines = new Set(parts.map(({ top }) => Math.round(top / 4)));
        const width = parts.reduce((sum, part) => sum + part.width, 0);
        if (lines.size > 1 && width < room && !word.includes('"')) broken.push(word);
      }
    }
    return broken;
  });
}
