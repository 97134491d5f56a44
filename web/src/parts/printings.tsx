import type { Printing } from './card-bodies.ts';
import { Money } from './card-money.tsx';

interface Props {
  readonly printings: readonly Printing[];
  /** The name of the one that is shown. */
  readonly shown: string | null;
  addressOf(printing: string): string;
}

/** The printings of a card to choose from, each with its market price. */
export function Printings({ printings, shown, addressOf }: Props) {
  if (printings.length < 2) return null;
  return (
    <nav class="choices" aria-label="Printings">
      <ul>
        {printings.map(({ name, prices }) => (
          <li key={name}>
            <a href={addressOf(name)} aria-current={name === shown ? 'true' : undefined}>
              <bdi>{name}</bdi> <Money amount={prices.market} />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
