import { useEffect, useRef, useState } from 'preact/hooks';
import type { motifOf } from './motifs.ts';

let draw: typeof motifOf | undefined;

/** Loads the code that draws motifs. From then on, motifs are there from the start. */
export async function loadMotifs(): Promise<void> {
  draw ??= (await import('./motifs.ts')).motifOf;
}

interface MotifProps {
  readonly game: string;
  /** The id of the card. Another card needs another component. */
  readonly id: string;
}

/**
 * The motif of a card. Pages rendered by the server already contain it, so a browser loads the code
 * only where it renders a card itself.
 */
export function Motif({ game, id }: MotifProps) {
  const [motif, setMotif] = useState(() => draw?.(game, id));
  const path = useRef<SVGPathElement>(null);
  useEffect(() => {
    if (path.current?.hasAttribute('d')) return;
    loadMotifs().then(
      () => setMotif(draw?.(game, id)),
      // The card stays plain.
      () => undefined,
    );
  }, []);
  return (
    <svg class="drawn-art" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden>
      <path class="areas" ref={path} d={motif?.areas} />
      <path class="lines" d={motif?.lines} />
      <path class="shapes" d={motif?.shapes} />
    </svg>
  );
}
