import type { CardFacts } from '../../domain/facts.ts';
import { decodeEntities } from '../../domain/text.ts';

/** Tags that begin a new line, as lines of the source do. */
const BREAK = /<(?:br|\/?(?:p|li|ul|div))\b[^<>]*>/gi;

/** Other tags. A sign that starts none stays: `HP < 30`. */
const TAG = /<\/?[a-z][^<>]*>?/gi;

/** Names that {@link decodeEntities} leaves unchanged. */
const SIGNS: Readonly<Record<string, string>> = {
  mdash: '—',
  ndash: '–',
  rsquo: '’',
  lsquo: '‘',
  rdquo: '”',
  ldquo: '“',
  eacute: 'é',
  times: '×',
  bull: '•',
  hellip: '…',
};

/** Returns HTML as plain text in lines, without tags, and without empty lines. */
export function plainText(html: string): string {
  const lines = html
    .replace(BREAK, '\n')
    .replace(TAG, '')
    .split(/[\r\n]/);
  return lines
    .map((line) => (line.includes('&') ? decoded(line) : line).replace(/\s{2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function decoded(line: string): string {
  return decodeEntities(
    line.replace(/&([a-z]{4,6});/g, (entity, name: string) => SIGNS[name] ?? entity),
  );
}

/** Returns the parts of a list in one text: `Heart Pirates;Supernovas`. */
export function partsOf(text: string, separator: RegExp = /[;,/]/): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Divides `Legendary Creature — Elf Druid`. */
export function typeLine(line: string): Pick<CardFacts, 'types' | 'subtypes'> {
  const faces = line.split('//').map((face) => face.split(/[—–]| - /));
  const wordsAt = (at: number) => {
    return [...new Set(faces.flatMap((face) => partsOf(face[at] ?? '', /\s/)))];
  };
  return { types: wordsAt(0), subtypes: wordsAt(1) };
}
