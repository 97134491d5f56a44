import { OperatorError } from '../../domain/errors.ts';
import { GAMES, type GameSlug } from '../../domain/games.ts';
import { foldText } from '../../domain/text.ts';
import type { AdaptedRecord } from './feed-batcher.ts';

/** Helpers for sources that have to choose games. */

/** Slugs by all names that sources use for a game. */
const BY_NAME: ReadonlyMap<string, GameSlug> = new Map(
  GAMES.flatMap(({ slug, name, aliases, justtcg }) => {
    return [slug, name, ...aliases, ...(justtcg ?? [])].map((one) => [keyOf(one), slug] as const);
  }),
);

/** Returns the game for a source's name, such as `Magic: The Gathering`; undefined if unknown. */
export function gameNamed(name: string): GameSlug | undefined {
  return BY_NAME.get(keyOf(name));
}

function keyOf(name: string): string {
  return foldText(name).replace(/[^a-z0-9]/g, '');
}

/**
 * Checks that a source has cards of a wanted game; null wants all.
 *
 * @throws OperatorError if it has none.
 */
export function requireGames(
  source: { readonly name: string; readonly games: readonly GameSlug[] },
  wanted: readonly GameSlug[] | null,
): void {
  const { name, games } = source;
  if (wanted === null || games.some((game) => wanted.includes(game))) return;
  const [of, only] = [wanted, games].map((some) => some.join(', '));
  throw new OperatorError(`${name} has no cards of ${of}, only of ${only}.`);
}

/** Omits items of unwanted games; null wants all. */
export function keepGames(
  { items, skipped = [], ...rest }: AdaptedRecord,
  wanted: readonly GameSlug[] | null,
): AdaptedRecord {
  const kept = items.filter(({ card }) => wanted === null || wanted.includes(card.game));
  const others = Array<string>(items.length - kept.length).fill('card of another game');
  return { ...rest, items: kept, skipped: [...skipped, ...others] };
}
