import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSession } from '../api/session.ts';
import { late } from '../ui/late.tsx';
import { Disclosure } from '../ui/parts.tsx';

const IndexChart = late(
  'The price index',
  async () => (await import('./index-chart.tsx')).IndexChart,
);

interface IndexProps {
  /** The path of the index in the API. */
  readonly apiPath: string;
}

/** How the prices of a set moved as a whole, loaded once it is in the window. */
export function SetIndex({ apiPath }: IndexProps) {
  const [section, wasSeen] = useSeen<HTMLElement>();
  if (useSession().historyDays === 0) return null;
  return (
    <section class="history price-index" aria-labelledby="price-index" ref={section}>
      <h2 id="price-index">Price index</h2>
      {wasSeen && <IndexChart apiPath={apiPath} />}
    </section>
  );
}

/** The same of a game, loaded once a reader opens it: a large one takes seconds to compute. */
export function GameIndex({ apiPath }: IndexProps) {
  if (useSession().historyDays === 0) return null;
  return (
    <Disclosure
      summary="Show the price index"
      render={() => (
        <div class="history price-index">
          <IndexChart apiPath={apiPath} />
        </div>
      )}
    />
  );
}

/** Returns a ref for an element, and whether the element has been in the window. */
function useSeen<Host extends Element>(): [RefObject<Host | null>, boolean] {
  const element = useRef<Host>(null);
  const [wasSeen, setSeen] = useState(false);
  useEffect(() => {
    if (!element.current) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, wasSeen];
}
