import type { Draw } from './draw.ts';

/** Letters that text recognition confuses in small print and on foil. */
const LOOKALIKES: readonly (readonly [read: string, as: string])[] = [
  ['rn', 'm'],
  ['m', 'rn'],
  ['cl', 'd'],
  ['o', '0'],
  ['l', '1'],
  ['i', 'l'],
  ['l', 'i'],
  ['s', '5'],
  ['b', '8'],
  ['g', '9'],
  ['u', 'v'],
  ['v', 'u'],
  ['e', 'c'],
  ['h', 'b'],
  ['n', 'ri'],
];

/** Returns a text with one misread letter, or two in a long text. */
export function misreadText(text: string, draw: Draw): string {
  const once = misreadLetter(text, draw);
  return text.length >= 16 && draw.chance(0.5) ? misreadLetter(once, draw) : once;
}

function misreadLetter(text: string, draw: Draw): string {
  const places = LOOKALIKES.flatMap(([read, as]) =>
    [...text.matchAll(new RegExp(read, 'gi'))].map(({ index }) => ({ index, read, as })),
  );
  if (places.length === 0) return text;
  const { index, read, as } = draw.pick(places);
  return text.slice(0, index) + as + text.slice(index + read.length);
}
