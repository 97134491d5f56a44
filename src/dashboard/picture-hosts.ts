import type { PictureHost } from '../domain/games/game.ts';
import { GAMES } from '../domain/games.ts';
import type { PictureSize } from '../domain/picture-sizes.ts';

const TCGPLAYER: PictureHost = {
  prefix: 'https://tcgplayer-cdn.tcgplayer.com/',
  sizes: {
    pattern: /_(?:200w|in_\d+x\d+)\.jpg$/,
    // The length of the longer side: cards are 143, 287 and 717 wide.
    names: { thumb: '_in_200x200.jpg', small: '_in_400x400.jpg', large: '_in_1000x1000.jpg' },
  },
};

/**
 * Where the sources have their pictures. Nothing else is fetched, whatever a catalogue names. Where
 * a host has sizes, ours are the next larger ones, or what is sharp enough.
 */
export const PICTURE_HOSTS: readonly PictureHost[] = [
  TCGPLAYER,
  ...GAMES.flatMap(({ pictureHosts }) => pictureHosts),
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
