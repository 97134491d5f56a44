import type { Documents } from '../documents.ts';
import type { DocId } from '../fields.ts';
import type { ParsedQuery } from '../query.ts';
import { PREFIX, type Words } from './words.ts';

/**
 * Returns a query in the spelling of a card that it finds, folded; undefined when no word of it is
 * spelt otherwise in the names of the card and of its set. `words` are undefined where all are a name.
 */
export function respell(
  { terms, sequence }: ParsedQuery,
  words: Words | undefined,
  doc: DocId,
  documents: Documents,
): string | undefined {
  const ofCard = [...documents.name(doc).terms, ...documents.set(doc).terms];
  const respelt = terms.map(({ text, corrections }, word) => {
    if (ofCard.some((term) => term.startsWith(text))) return undefined;
    return ofCard.find((term) => {
      return corrections.has(term) || (words && isCorrection(words, word, term));
    });
  });
  if (respelt.every((term) => term === undefined)) return undefined;
  return sequence.map((i) => respelt[i] ?? terms[i]?.typed).join(' ');
}

/** Whether a word may mean a term in another spelling alone. */
function isCorrection({ inNames, inSets }: Words, word: number, term: string): boolean {
  const hits = [...(inNames.of(term) ?? []), ...(inSets.of(term) ?? [])].filter((hit) => {
    return hit.word === word;
  });
  return hits.length > 0 && hits.every(({ certainty }) => certainty < PREFIX);
}
