import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Resolver } from '../../src/resolve/index.ts';
import { indexOf } from '../search/search-cards.ts';
import { assertRecorded } from '../support/recorded.ts';
import { readStarterCards } from '../support/starter-cards.ts';
import { LINES, typedTexts } from '../support/typed.ts';

describe('cards that people mean', () => {
  it('stay as they are recorded', async () => {
    const cards = await readStarterCards();
    const resolver = new Resolver({ search: indexOf(cards), cardsWithId: () => [] });
    const texts = typedTexts(LINES, cards, 16);
    const answers = await resolver.resolve(texts.map(([, text]) => ({ text })));
    const lines = answers.map(({ status, reasons, ...answer }, i) => {
      const [kind, text] = texts[i] ?? assert.fail();
      const given = 'candidates' in answer ? answer.candidates : [answer];
      const ids = given.map(({ card }) => card.id).join(' ');
      const detail =
        'candidates' in answer
          ? `of ${answer.candidateCount}`
          : `${answer.confidence} ${answer.quantity} × ${answer.printing?.name}`;
      const copy = answer.copy ? ` ${JSON.stringify(answer.copy)}` : '';
      return `${kind}: ${text}\n  ${status} ${detail}${copy}: ${ids}\n  ${reasons.join(' | ')}\n`;
    });
    assertRecorded('resolve', lines);
  });
});
