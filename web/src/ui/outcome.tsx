import { useLayoutEffect, useRef } from 'preact/hooks';

/** The outcome of an action. Each action makes a new object, although its text may be the same. */
export interface Outcome {
  readonly text: string;
}

/** Shows the outcome of the last action and takes the focus: the action's button may be gone. */
export function OutcomeMessage({ outcome }: { outcome: Outcome | undefined }) {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => (outcome ? line.current?.focus() : undefined), [outcome]);
  return (
    <p role="status" class="done" tabIndex={-1} ref={line}>
      {outcome?.text}
    </p>
  );
}
