import type { Color } from '../../../src/domain/colors.ts';

/**
 * The colors of sets, by which cards of different sets look different without a picture. White
 * words on them are legible. Neighbors have neighboring hues (OKLCH), alternately lighter and
 * darker. Dark pages darken them. `web/vite.config.ts` writes the rules.
 */
export const SET_COLORS: readonly Color[] = [
  '#a03b51',
  '#672926',
  '#a0421d',
  '#633002',
  '#895603',
  '#523c03',
  '#716403',
  '#3f4403',
  '#497100',
  '#1b4c1f',
  '#07764d',
  '#004b3e',
  '#0e726e',
  '#03494f',
  '#006f87',
  '#014563',
  '#0f66ac',
  '#283d6f',
  '#5657ae',
  '#44346a',
  '#7b499c',
  '#572d5a',
  '#933f7b',
  '#632842',
];

/** Returns the class with the color of a set. The same set always has the same color. */
export function setClass(game: string, code: string): string {
  return `set-${fnv1a(`${game} ${code}`) % SET_COLORS.length}`;
}

/** The 32 bits of FNV-1a (draft-eastlake-fnv) over the UTF-16 units of a text. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
