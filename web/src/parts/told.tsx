import { useEffect, useRef } from 'preact/hooks';

/** What came of something; a new one for each time, although the words may be the same. */
export interface Outcome {
  readonly words: string;
}

/** Tells what came of the last thing that was done. It gets the focus: the button may be gone. */
export function Told({ outcome }: { outcome: Outcome | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => (outcome ? line.current?.focus() : undefined), [outcome]);
  return (
    <p role="status" class="done" tabIndex={-1} ref={line}>
      {outcome?.words}
    </p>
  );
}
