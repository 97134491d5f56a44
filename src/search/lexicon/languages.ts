import { GAME_SLUGS } from '../../domain/games.ts';
import type { Entry } from './entry.ts';

const NOT_JAPANESE = GAME_SLUGS.filter((slug) => slug !== 'pokemonjp');

/**
 * Languages. The catalogue has English cards and Japanese ones of Pokémon, so these two agree with
 * cards; of the others no card says anything. None excludes a card: `japanese` is also written of
 * Magic and Yu-Gi-Oh! cards, whose languages share one entry.
 */
export const LANGUAGES: readonly Entry[] = [
  language(
    'Chinese',
    'chinese, simplified chinese, traditional chinese, chn, cn, chs, cht, zhs, zht',
  ),
  { ...language('English', 'english, eng, en, english version'), games: NOT_JAPANESE },
  language('French', 'french, francais, fr, fre'),
  language('German', 'german, deutsch, ger'),
  language('Indonesian', 'indonesian'),
  language('Italian', 'italian, italiano, ita'),
  {
    ...language(
      'Japanese',
      'japanese, japan, jp, jpn, jap, ja, japonais, japanisch, japones, giapponese',
    ),
    games: ['pokemonjp'],
  },
  language('Korean', 'korean, korea, kr'),
  language('Portuguese', 'portuguese, por, pt-br'),
  language('Russian', 'russian, rus'),
  language('Spanish', 'spanish, espanol, spa'),
  language('Thai', 'thai'),
];

function language(means: string, words: string): Entry {
  return { as: 'language', means, words };
}
