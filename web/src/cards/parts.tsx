import './picture.css';
import './cards.css';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type ConfidenceLevel, LEVEL_WORDS } from '../../../src/domain/confidence.ts';
import { AGE_LIMITS } from '../../../src/domain/staleness.ts';
import type { CardSummaryBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { formatChange, formatPercent, languageOf, type PriceChange } from '../ui/format.ts';
import { Money } from '../ui/parts.tsx';
import { Glyph } from './picture.tsx';
import { setClass } from './set-colors.ts';

/**
 * The name of a card or set. Its text direction is isolated, and its language determines the font
 * and the voice.
 */
export function CardName({ name }: { name: string }) {
  return <bdi lang={languageOf(name)}>{name}</bdi>;
}

interface SetSymbolProps {
  readonly game: string;
  readonly code: string;
}

/** The code of a set on a badge with the color of the set and the shape of its game. */
export function SetSymbol({ game, code }: SetSymbolProps) {
  return (
    <span class={`set-symbol ${setClass(game, code)}`}>
      <Glyph game={game} />
      <bdi>{code}</bdi>
    </span>
  );
}

interface ChangeProps {
  readonly change: PriceChange;
  /** Whether there is room only for the percentage. */
  readonly isShort?: boolean;
  /** US dollars by default. */
  readonly currency?: string | undefined;
}

/** A change with a sign, an arrow and a color, so it can be read without the color. */
export function Change({ change, isShort = false, currency }: ChangeProps) {
  const direction = change.amount > 0 ? 'up' : change.amount < 0 ? 'down' : 'even';
  return (
    <span class={`change ${direction}`}>
      <span aria-hidden="true">{ARROWS[direction]}</span>{' '}
      {isShort ? formatPercent(change) : <BothNumbers change={change} currency={currency} />}
    </span>
  );
}

/** A change as `+$3.10 (+2.6%)`. Styles may hide `by` if there is no room. */
function BothNumbers({ change, currency }: Pick<ChangeProps, 'change' | 'currency'>) {
  if (change.amount === 0) return <>unchanged</>;
  return (
    <>
      <span class="by">{formatChange(change, currency)} (</span>
      {formatPercent(change)}
      <span class="by">)</span>
    </>
  );
}

const ARROWS = { up: '▲', down: '▼', even: '=' } as const;

type Prices = Pick<CardSummaryBody['prices'], 'market' | 'stale' | 'confidence' | 'currency'>;

/** Whether all prices of a list are old, so the page says so once. */
export function areAllOld(cards: readonly { readonly prices: Prices }[]): boolean {
  const priced = cards.filter(({ prices }) => prices.market !== null);
  return priced.length > 0 && priced.every(({ prices }) => prices.stale);
}

/** Notes that all prices of a list are old. */
export function OldPrices() {
  return <p class="hint">All of these prices are older than {AGE_LIMITS.figures} days.</p>;
}

interface ListedPriceProps {
  readonly prices: Prices;
  /** Whether the page already says that the prices are old. */
  readonly isOldSaid?: boolean;
}

/** The levels that a list names. The others need no word. */
const NAMED_LEVELS: readonly ConfidenceLevel[] = ['thin', 'stale', 'disputed'];

/** The price of a card in a list, with a word if it is old or not sure. */
export function ListedPrice({ prices, isOldSaid = false }: ListedPriceProps) {
  const { market, confidence, currency } = prices;
  const level = confidence?.level;
  const isNamed = level && NAMED_LEVELS.includes(level) && !(level === 'stale' && isOldSaid);
  return (
    <>
      {isNamed && market !== null && <span class="old">{LEVEL_WORDS[level]} </span>}
      <Money amount={market} currency={currency} />
    </>
  );
}

interface GameNavProps {
  /** The slug of the game of the page; empty for all games. */
  readonly current: string;
  /** Returns the link to the page about a game. */
  hrefOf(game: string): string;
  /** Whether there is a page about all games. */
  readonly isForAll?: boolean;
}

/** How many px of the line before the current game stay visible, to show that there is more. */
const EARLIER = 60;

/** Links to the same page about other games. On a phone, they are one line that scrolls. */
export function GameNav({ current, hrefOf, isForAll = false }: GameNavProps) {
  const { games } = useSession();
  const choices = isForAll ? [{ id: '', name: 'All games' }, ...games] : games;
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]');
    list.current?.scrollTo({ left: (link?.offsetLeft ?? 0) - EARLIER });
  }, [current]);
  return (
    <nav class="game-nav" aria-label="Games">
      <ul ref={list}>
        {choices.map(({ id, name }) => (
          <li key={id}>
            <a href={hrefOf(id)} aria-current={id === current ? 'true' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
