import type { Documents } from '../documents.ts';
import type { DocFilter } from '../filters.ts';
import type { InvertedIndex } from '../inverted-index.ts';
import { RankBucket } from '../results.ts';
import type { Sentence } from '../sentence.ts';
import { readAsSetName, type Words } from './words.ts';

/** The cards of the sets whose name is the query. */
export interface NamedSets {
  readonly bucket: RankBucket;
  readonly words: Words;
}

/** Returns the cards of the sets whose full name is the query; undefined if there are none. */
export function findNamedSets(
  query: Sentence,
  index: InvertedIndex,
  documents: Documents,
  filter: DocFilter | undefined,
): NamedSets | undefined {
  const bucket = new RankBucket();
  for (const set of index.setWords.called(query.phrase.text)) {
    for (const doc of set.docs) {
      const isOfSet = documents.isLive(doc) && documents.set(doc) === set;
      if (isOfSet && (!filter || filter(doc))) bucket.add(doc);
    }
  }
  return bucket.count === 0 ? undefined : { bucket, words: readAsSetName(query) };
}
