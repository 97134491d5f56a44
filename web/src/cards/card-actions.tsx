import './actions.css';
import { useState } from 'preact/hooks';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { MARKETPLACE_NAMES, type MarketplaceLink } from '../../../src/domain/marketplaces.ts';
import { AlertButton } from '../alerts/alert-button.tsx';
import type { Watched } from '../alerts/watched.ts';
import { addLine } from '../api/added-lines.ts';
import { type CardView, cardHref } from '../api/links.ts';
import { useSession } from '../api/session.ts';
import { CopyButton } from '../ui/parts.tsx';

interface Props {
  readonly card: {
    readonly id: string;
    readonly name: string;
    readonly setCode: string;
    readonly number: string | null;
    readonly links?: readonly MarketplaceLink[];
  };
  /** The view that the link has, if it is not the default one. */
  readonly view?: CardView;
  /** The subject of an alert; by default the card in its default printing. */
  readonly watched?: Watched;
}

/** All actions of a card. */
export function CardActions({ card, view, watched }: Props) {
  const { id, name, links = [] } = card;
  return (
    <ul class="actions" aria-label={`Actions for ${name}`}>
      <ListAction card={card} />
      <li>
        <AlertButton watched={watched ?? { label: name, target: { card: id } }} />
      </li>
      <li>
        <CopyButton
          label="Copy link"
          text={() => new URL(cardHref(id, view), location.origin).href}
          otherwise={(address) => `The link is ${address}`}
        />
      </li>
      {links.map(({ marketplace, url }) => (
        <li key={marketplace}>
          <a class="button" href={url} rel="noopener noreferrer">
            Buy at {MARKETPLACE_NAMES[marketplace]}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Adds the card to the reader's list. */
function ListAction({ card: { name, setCode, number } }: Pick<Props, 'card'>) {
  const { account } = useSession();
  const [isAdded, setAdded] = useState(false);
  const add = () => {
    addLine(account?.email ?? '', `1 ${name} (${setCode})${number === null ? '' : ` ${number}`}`);
    setAdded(true);
  };
  return (
    <li>
      <button type="button" onClick={add}>
        Add to list
      </button>{' '}
      <span role="status">
        {isAdded && (
          <>
            Added. <a href={PAGES.list}>Open the list</a>
          </>
        )}
      </span>
    </li>
  );
}
