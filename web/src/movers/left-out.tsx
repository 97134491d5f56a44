import { Disclosure } from '../ui/disclosure.tsx';
import { formatCount } from '../ui/format.ts';
import { MoverList } from './mover-list.tsx';
import type { LeftOutBody } from './responses.ts';

/** The moves that nobody should trust, folded, with the reason of each. */
export function LeftOut({ movers }: { movers: readonly LeftOutBody[] }) {
  if (movers.length === 0) return null;
  const reasons = Map.groupBy(movers, ({ detail }) => detail);
  return (
    <Disclosure
      summary={`${formatCount(movers.length)} left out, and why`}
      render={() =>
        [...reasons].map(([detail, left]) => (
          <section key={detail}>
            <h2>{detail}</h2>
            <MoverList movers={left} label={detail} />
          </section>
        ))
      }
    />
  );
}
