import './picture.css';
import 'virtual:game-colors.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { PICTURE_WIDTHS, type PictureSize } from '../../../src/domain/games/game.ts';
import type { CardSummaryBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { gameClass, motifOf } from './motifs.ts';

interface CardPictureProps {
  readonly card: PicturedCard;
  /** `thumb` is for rows, `small` for grids, `large` for the page of the card. */
  readonly size: PictureSize;
}

interface Shown {
  /** The largest width in px, as in the styles. */
  readonly width: number;
  /** The sizes that browsers choose from by the resolution of the screen. */
  readonly sources: readonly PictureSize[];
  /** How the card is drawn without a picture, and while the picture loads. */
  readonly forms: { readonly drawn: DrawnForm; readonly loading: DrawnForm };
}

const SHOWN: Readonly<Record<PictureSize, Shown>> = {
  thumb: { width: 40, sources: ['thumb'], forms: { drawn: 'reduced', loading: 'blank' } },
  small: { width: 180, sources: ['small', 'large'], forms: { drawn: 'full', loading: 'blank' } },
  large: { width: 300, sources: ['small', 'large'], forms: { drawn: 'full', loading: 'full' } },
};

/**
 * The picture of a card, in a box that has its final size from the start. A drawn card of the same
 * size stands there until the picture is loaded, and stays where there is none or it fails.
 *
 * In rows and grids, the name is next to the picture, so screen readers skip it. The `large` one is
 * described.
 */
export function CardPicture({ card, size }: CardPictureProps) {
  const { pictures } = useSession();
  const hasPicture = pictures && typeof card.image === 'string';
  const address = hasPicture ? `/dashboard/pictures/${encodeURIComponent(card.id)}` : undefined;
  return (
    <span class={`card-picture ${size}`}>
      {/* A new address starts over: it may load although the previous one failed. */}
      <LoadedPicture key={address} card={card} size={size} address={address} />
    </span>
  );
}

interface LoadedPictureProps extends CardPictureProps {
  /** Without one the card is drawn. */
  readonly address: string | undefined;
}

function LoadedPicture({ card, size, address }: LoadedPictureProps) {
  const [state, setState] = useState<'loading' | 'shown' | 'failed'>('loading');
  const image = useRef<HTMLImageElement>(null);
  // A page that the server rendered may have loaded its pictures before the handlers were there.
  useEffect(() => {
    if (image.current?.complete) setState(image.current.naturalWidth > 0 ? 'shown' : 'failed');
  }, []);
  const hasImage = address !== undefined && state !== 'failed';
  const description = size === 'large' ? describe(card) : '';
  return (
    <>
      {!(hasImage && state === 'shown') && (
        <DrawnCard
          card={card}
          form={SHOWN[size].forms[hasImage ? 'loading' : 'drawn']}
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

/** The attributes by which a browser picks the size for its screen. */
function sourcesOf(address: string, size: PictureSize) {
  const { width, sources } = SHOWN[size];
  const candidates = sources.map((each) => `${address}?size=${each} ${PICTURE_WIDTHS[each]}w`);
  return { src: `${address}?size=${size}`, srcset: candidates.join(', '), sizes: `${width}px` };
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

/** Longer names have smaller letters. */
const LONG_NAME = 24;

/**
 * A card drawn from its facts, in the colors and with the motif of its game. It fills its box. Its
 * words are generated content, so searching and copying in a page do not find them twice.
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
 * Drops the decimals, which are below half a pixel in a thumbnail. Pages with drawn cards are a
 * fifth smaller without them.
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
