import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pictureAddresses } from '../../src/dashboard/pictures.ts';
import { PICTURE_WIDTHS, type PictureSize } from '../../src/domain/games/game.ts';

const SIZES = Object.keys(PICTURE_WIDTHS) as PictureSize[];

/** What the sources name, and where each size is asked for first: thumb, small, large. */
const KNOWN: readonly (readonly [named: string, ...sized: string[]])[] = [
  [
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_1000x1000.jpg',
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_200x200.jpg',
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_400x400.jpg',
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_1000x1000.jpg',
  ],
  [
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_200w.jpg',
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_200x200.jpg',
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_400x400.jpg',
    'https://tcgplayer-cdn.tcgplayer.com/product/42346_in_1000x1000.jpg',
  ],
  [
    'https://cards.scryfall.io/normal/front/0/0/00012bd8-ed68.jpg?1559596693',
    'https://cards.scryfall.io/small/front/0/0/00012bd8-ed68.jpg?1559596693',
    'https://cards.scryfall.io/normal/front/0/0/00012bd8-ed68.jpg?1559596693',
    'https://cards.scryfall.io/large/front/0/0/00012bd8-ed68.jpg?1559596693',
  ],
  [
    'https://images.pokemontcg.io/sv1/1_hires.png',
    'https://images.pokemontcg.io/sv1/1.png',
    'https://images.pokemontcg.io/sv1/1_hires.png',
    'https://images.pokemontcg.io/sv1/1_hires.png',
  ],
  [
    'https://images.ygoprodeck.com/images/cards/483.jpg',
    'https://images.ygoprodeck.com/images/cards_small/483.jpg',
    'https://images.ygoprodeck.com/images/cards/483.jpg',
    'https://images.ygoprodeck.com/images/cards/483.jpg',
  ],
  [
    'https://cards.lorcast.io/card/digital/large/crd_a94.avif?1728609660',
    'https://cards.lorcast.io/card/digital/small/crd_a94.avif?1728609660',
    'https://cards.lorcast.io/card/digital/normal/crd_a94.avif?1728609660',
    'https://cards.lorcast.io/card/digital/large/crd_a94.avif?1728609660',
  ],
];

describe('The addresses of a picture', () => {
  it('begin with the size of its host', () => {
    for (const [named, ...sized] of KNOWN) {
      const first = SIZES.map((size) => pictureAddresses(named, size)[0]?.href);
      assert.deepEqual(first, sized);
    }
  });

  it('end with the one that the source names, each once', () => {
    for (const [named] of KNOWN) {
      for (const size of SIZES) {
        const all = pictureAddresses(named, size).map(({ href }) => href);
        assert.equal(all.at(-1), named);
        assert.equal(new Set(all).size, all.length);
      }
    }
  });

  it('are only that one where the host has no sizes', () => {
    for (const named of [
      'https://cdn.swu-db.com/images/cards/SHD/001.png',
      'https://en.onepiece-cardgame.com/images/cardlist/card/OP01-001.png?240101',
      'https://storage.googleapis.com/fabmaster/cardfaces/2022-UPR/UPR186.png',
      'https://tcgplayer-cdn.tcgplayer.com/product/logo.svg',
    ]) {
      for (const size of SIZES) {
        assert.deepEqual(pictureAddresses(named, size), [new URL(named)]);
      }
    }
  });
});
