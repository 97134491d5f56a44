import type { PictureSize } from '../domain/picture-sizes.ts';

/** A place where sources have pictures. */
export interface PictureHost {
  /** How all addresses there begin. */
  readonly prefix: string;
  /** The part of an address that names a size, and what names each of ours. */
  readonly sizes?: {
    readonly pattern: RegExp;
    readonly names: Readonly<Record<PictureSize, string>>;
  };
}

/** The names that Scryfall made known: 146, 488 and 672 pixels. */
const BY_FOLDER = { thumb: '/small/', small: '/normal/', large: '/large/' };

/**
 * Where the sources have their pictures. Nothing else is fetched, whatever a catalogue names. Where
 * a host has sizes, ours are the next larger ones, or what is sharp enough.
 */
export const PICTURE_HOSTS: readonly PictureHost[] = [
  {
    prefix: 'https://tcgplayer-cdn.tcgplayer.com/',
    sizes: {
      pattern: /_(?:200w|in_\d+x\d+)\.jpg$/,
      // The length of the longer side: cards are 143, 287 and 717 wide.
      names: { thumb: '_in_200x200.jpg', small: '_in_400x400.jpg', large: '_in_1000x1000.jpg' },
    },
  },
  {
    prefix: 'https://cards.scryfall.io/',
    sizes: { pattern: /\/(?:small|normal|large)\//, names: BY_FOLDER },
  },
  {
    prefix: 'https://images.pokemontcg.io/',
    sizes: {
      pattern: /(?:_hires)?\.png$/,
      // 245 and 734 wide.
      names: { thumb: '.png', small: '_hires.png', large: '_hires.png' },
    },
  },
  {
    prefix: 'https://images.ygoprodeck.com/',
    sizes: {
      pattern: /\/cards(?:_small)?\//,
      names: { thumb: '/cards_small/', small: '/cards/', large: '/cards/' },
    },
  },
  {
    prefix: 'https://cards.lorcast.io/',
    sizes: { pattern: /\/(?:small|normal|large)\//, names: BY_FOLDER },
  },
  { prefix: 'https://cdn.swu-db.com/' },
  { prefix: 'https://en.onepiece-cardgame.com/' },
  // Flesh and Blood: a folder of a shared host, and two hosts of its publisher.
  { prefix: 'https://storage.googleapis.com/fabmaster/' },
  { prefix: 'https://d2wlb52bya4y8z.cloudfront.net/' },
  { prefix: 'https://dhhim4ltzu1pj.cloudfront.net/' },
];

/**
 * The addresses to try for a size of a picture, the best one first: that of its host's own size,
 * then the one that the source named. None when nothing is fetched from there.
 */
export function pictureAddresses(
  address: string,
  size: PictureSize,
  hosts: readonly PictureHost[] = PICTURE_HOSTS,
): URL[] {
  if (!URL.canParse(address)) return [];
  // As the parser writes it, so that no path climbs out of a prefix.
  const { href } = new URL(address);
  const host = hosts.find(({ prefix }) => href.startsWith(prefix));
  if (!host) return [];
  const { sizes } = host;
  const sized = sizes ? href.replace(sizes.pattern, sizes.names[size]) : href;
  return [...new Set([sized, href])].map((each) => new URL(each));
}
