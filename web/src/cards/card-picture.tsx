import { useEffect, useRef, useState } from 'preact/hooks';
import { PICTURE_WIDTHS, type PictureSize } from '../../../src/domain/picture-sizes.ts';
import './card-picture.css';
import 'virtual:game-colors.css';
import { useSession } from '../account/session.tsx';
import { DrawnCard, type DrawnForm, type PicturedCard } from './drawn-card.tsx';

interface CardPictureProps {
  readonly card: PicturedCard;
  /** `thumb` is for rows, `small` for grids, `large` for the page of the card. */
  readonly size: PictureSize;
}

interface Shown {
  /** The most px that it is wide, as in the styles. */
  readonly width: number;
  /** What browsers choose from by the pixels of their screen. */
  readonly sources: readonly PictureSize[];
  /** How it is drawn without a picture, and until there is one: lists draw no card in vain. */
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
 * Beside rows and in grids the name is next to it, so that screen readers skip both; the `large`
 * one is described.
 */
export function CardPicture({ card, size }: CardPictureProps) {
  const { pictures } = useSession();
  const hasPicture = pictures && typeof card.image === 'string';
  const address = hasPicture ? `/dashboard/pictures/${encodeURIComponent(card.id)}` : undefined;
  return (
    <span class={`card-picture ${size}`}>
      {/* A new address starts anew: what failed says nothing of the next one. */}
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
