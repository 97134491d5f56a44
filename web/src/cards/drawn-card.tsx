import { gameClass, motifOf } from './motifs.ts';
import type { CardSummaryBody } from './responses.ts';

/** What a picture shows of a card: any summary or detail has it. */
export type PicturedCard = Pick<
  CardSummaryBody,
  'id' | 'name' | 'game' | 'set' | 'setCode' | 'number' | 'rarity'
> & {
  /** Where a source has the picture; null or missing without one. */
  readonly image?: string | null;
};

/** `reduced` has no words but the number; `blank` has neither words nor a motif. */
export type DrawnForm = 'full' | 'reduced' | 'blank';

interface DrawnCardProps {
  readonly card: PicturedCard;
  readonly form: DrawnForm;
  /** For screen readers, which skip the card when it is empty. */
  readonly description: string;
}

/** From how many characters on a name is set in smaller letters. */
const LONG_NAME = 24;

/**
 * A card that is drawn from what is known of it, in the colors and with the motif of its game. It
 * fills its box. Its words are generated content: pages say them elsewhere, and neither searching in
 * a page nor copying from it finds them twice.
 */
export function DrawnCard({ card, form, description }: DrawnCardProps) {
  const { game, name, set, setCode, number, rarity } = card;
  const semantics = description
    ? { role: 'img' as const, 'aria-label': description }
    : { 'aria-hidden': true as const };
  return (
    <span class={`drawn-card ${form} game-${gameClass(game)}`} {...semantics}>
      {form === 'full' && (
        <span class={name.length > LONG_NAME ? 'drawn-name long' : 'drawn-name'} data-text={name} />
      )}
      {form === 'blank' ? (
        <span class="drawn-art" />
      ) : (
        <Art card={card} isSmall={form === 'reduced'} />
      )}
      {form === 'reduced' && <span class="drawn-number" data-text={shortNumber(number)} />}
      {form === 'full' && (
        <span class="drawn-facts">
          <span class="drawn-set" data-text={set} />
          <span data-text={numberInSet(setCode, number)} />
          <span class="drawn-rarity" data-text={rarity ?? ''} />
        </span>
      )}
    </span>
  );
}

function Art({ card, isSmall }: { card: PicturedCard; isSmall: boolean }) {
  const { areas, lines, shapes } = motifOf(card.game, card.id);
  const shorten = isSmall ? inWholeUnits : (path: string) => path;
  return (
    <svg class="drawn-art" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden>
      <path class="areas" d={shorten(areas)} />
      <path class="lines" d={shorten(lines)} />
      <path class="shapes" d={shorten(shapes)} />
    </svg>
  );
}

/**
 * Leaves out the decimals, which are less than half a pixel of a thumbnail: pages that list drawn
 * cards get a fifth smaller.
 */
function inWholeUnits(path: string): string {
  return path.replace(/\d*\.\d+/g, (number) => String(Math.round(Number(number))));
}

/** `BS · 004/102`, but `LOB-001`, which has the code. */
function numberInSet(setCode: string, number: string | null): string {
  if (number === null) return setCode;
  return number.startsWith(setCode) ? number : `${setCode} · ${number}`;
}

/** `004/102` is `004`: the total is the same for the whole set. */
function shortNumber(number: string | null): string {
  return number?.split('/', 1)[0] ?? '';
}
