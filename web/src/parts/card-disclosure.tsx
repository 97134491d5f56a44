import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly summary: string;
  /** Made only once the reader has opened it. */
  render(): ComponentChildren;
}

/** Something that most readers do not need, behind its name. */
export function Disclosure({ summary, render }: Props) {
  const [wasOpened, setOpened] = useState(false);
  const toggle = ({ currentTarget }: TargetedEvent<HTMLDetailsElement>) => {
    if (currentTarget.open) setOpened(true);
  };
  return (
    <details onToggle={toggle}>
      <summary>{summary}</summary>
      {wasOpened && render()}
    </details>
  );
}
