import './picture.css';
import 'virtual:card-colors.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PICTURE_WIDTHS, type PictureSize } from '../../../src/domain/games/game.ts';
import type { CardSummaryBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { gameClass, glyphOf } from './glyphs.ts';
import { Motif } from './motif.tsx';
import { setClass } from './set-colors.ts';

interface CardPictureProps {
  readonly card: PicturedCard;
  /** `thumb` is for rows, `small` for grids, `large` for the page of the card. */
  readonly size: PictureSize;
  /**
   * The text of a row without a picture: the number in a list of one set, otherwise the set's code.
   */
  readonly mark?: 'code' | 'number';
}

interface Shown {
  /** The largest width in px, as in the styles. */
  readonly width: number;
  /** The sizes that browsers choose from by the resolution of the screen. */
  readonly sources: readonly PictureSize[];
}

const SHOWN: Readonly<Record<PictureSize, Shown>> = {
  thumb: { width: 40, sources: ['thumb'] },
  small: { width: 180, sources: ['small', 'large'] },
  large: { width: 300, sources: ['small', 'large'] },
};

/**
 * The picture of a card, in a box that has its final size from the start. A drawn card of the same
 * size (in rows, the spine of a label) takes its place until the picture is loaded, and stays if
 * there is none or it fails.
 *
 * In rows and grids, the name is next to the picture, so screen readers skip it. The `large` one is
 * described.
 */
export function CardPicture({ card, size, mark = 'code' }: CardPictureProps) {
  const { pictures } = useSession();
  const hasPicture = pictures && typeof card.image === 'string';
  const address = hasPicture ? `/dashboard/pictures/${encodeURIComponent(card.id)}` : undefined;
  return (
    <span class={`card-picture ${size}`}>
      {/* A new address starts over: it may load although the previous one failed. */}
      <LoadedPicture key={address} card={card} size={size} mark={mark} address={address} />
    </span>
  );
}

interface LoadedPictureProps extends Required<CardPictureProps> {
  /** Without it, the card is drawn. */
  readonly address: string | undefined;
}

function LoadedPicture({ card, size, mark, address }: LoadedPictureProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const image = useRef<HTMLImageElement>(null);
  // On a page rendered by the server, pictures may have loaded before the handlers were attached.
  useEffect(() => {
    if (image.current?.complete) setState(image.current.naturalWidth > 0 ? 'shown' : 'failed');
  }, []);
  const hasImage = address !== undefined && state !== 'failed';
  const description = size === 'large' ? describe(card) : '';
  return (
    <>
      {size === 'thumb' && (
        <Spine
          game={card.game}
          code={card.setCode}
          words={hasImage ? '' : mark === 'code' ? card.setCode : shortNumber(card.number)}
          isFoil={FOIL.test(card.printing ?? '')}
        />
      )}
      {size !== 'thumb' && !(hasImage && state === 'shown') && (
        <DrawnCard
          card={card}
          isBlank={hasImage && size === 'small'}
          description={hasImage ? '' : description}
        />
      )}
      {hasImage && (
        <img
          ref={image}
          {...sourcesOf(address, size)}
          alt={description}
          width={SHOWN[size].width}
          height={SHOWN[size].width * 1.4}
          loading="lazy"
          decoding="async"
          onLoad={() => setState('shown')}
          onError={() => setState('failed')}
        />
      )}
    </>
  );
}

/** The attributes that let a browser pick the size for its screen, if there are several. */
function sourcesOf(address: string, size: PictureSize) {
  const { width, sources } = SHOWN[size];
  const src = `${address}?size=${size}`;
  if (sources.length === 1) return { src };
  const candidates = sources.map((each) => `${address}?size=${each} ${PICTURE_WIDTHS[each]}w`);
  return { src, srcset: candidates.join(', '), sizes: `${width}px` };
}

/** `Charizard, Base Set 004/102`: no other card has this name, set and number. */
function describe({ name, set, number }: PicturedCard): string {
  return `${name}, ${[set, number].filter(Boolean).join(' ')}`;
}

/** The facts of a card that its picture shows. */
export type PicturedCard = Pick<
  CardSummaryBody,
  'id' | 'name' | 'game' | 'set' | 'setCode' | 'number' | 'rarity'
> & {
  /** The source's address of the picture; null or missing without one. */
  readonly image?: string | null;
  readonly printing?: string | null;
};

interface SpineProps {
  readonly game: string;
  readonly code: string;
  /** The code of the set, or the number of a card in it; empty under a picture. */
  readonly words: string;
  /** Whether it has the strip of a foil. */
  readonly isFoil?: boolean;
}

/** The printings that are foils: `Reverse Holofoil`, but not `Non-Foil`. */
const FOIL = /(?<!non-?\s*)foil/i;

/** Words longer than this have smaller letters. */
const LONG_WORDS = 4;

/**
 * The spine of a label: a few words on the color of the set, above the shape of the game. The words
 * are generated content, because the row also contains them.
 */
export function Spine({ game, code, words, isFoil = false }: SpineProps) {
  const look = (words.length > LONG_WORDS ? ' long' : '') + (isFoil ? ' foil' : '');
  return (
    <span class={`spine ${setClass(game, code)}${look}`} aria-hidden>
      <span data-text={words} />
      <Glyph game={game} />
    </span>
  );
}

/** The shape that represents a game in small signs. */
export function Glyph({ game }: { game: string }) {
  return (
    <svg viewBox="0 0 100 100" width={10} height={10} aria-hidden>
      <path d={glyphOf(game)} />
    </svg>
  );
}

interface DrawnCardProps {
  readonly card: PicturedCard;
  /** Whether it has neither words nor a motif, while a picture loads. */
  readonly isBlank?: boolean;
  /** For screen readers, which skip the card when it is empty. */
  readonly description: string;
}

/** Longer names have smaller letters. */
const LONG_NAME = 24;

/**
 * A card drawn from its facts, in the color of its set and with the motif of its game. It fills its
 * box. Its words are generated content, so searching and copying on a page do not find them twice.
 */
export function DrawnCard({ card, isBlank = false, description }: DrawnCardProps) {
  const { game, setCode } = card;
  const semantics = description
    ? { role: 'img' as const, 'aria-label': description }
    : { 'aria-hidden': true as const };
  const look = `${setClass(game, setCode)} game-${gameClass(game)}`;
  return (
    <span class={`drawn-card ${isBlank ? 'blank' : 'full'} ${look}`} {...semantics}>
      {isBlank ? <span class="drawn-art" /> : <DrawnFacts card={card} />}
    </span>
  );
}

function DrawnFacts({ card }: { card: PicturedCard }) {
  const { name, game, id, set, setCode, number, rarity } = card;
  return (
    <>
      <span class={name.length > LONG_NAME ? 'drawn-name long' : 'drawn-name'} data-text={name} />
      <Motif key={id} game={game} id={id} />
      <span class="drawn-facts">
        <span class="drawn-set" data-text={set} />
        <span data-text={numberInSet(setCode, number)} />
        <span class="drawn-rarity" data-text={rarity ?? ''} />
      </span>
    </>
  );
}

/** `BS · 004/102`, but only `LOB-001`, which already contains the code. */
function numberInSet(setCode: string, number: string | null): string {
  if (number === null) return setCode;
  return number.startsWith(setCode) ? number : `${setCode} · ${number}`;
}

/** `004/102` is `004`: the total is the same for the whole set. */
function shortNumber(number: string | null): string {
  return number?.split('/', 1)[0] ?? '';
}
