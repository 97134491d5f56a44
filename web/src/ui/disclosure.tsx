import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';

interface Props {
  readonly summary: string;
  /** Called only once the reader has opened the disclosure. */
  render(): ComponentChildren;
}

/** Content that is hidden behind its summary, and not rendered before it is opened. */
export function Disclosure({ summary, render }: Props) {
  const [wasOpened, setOpened] = useState(false);
  const onToggle = ({ currentTarget }: TargetedEvent<HTMLDetailsElement>) => {
    if (currentTarget.open) setOpened(true);
  };
  return (
    <details onToggle={onToggle}>
      <summary>{summary}</summary>
      {wasOpened && render()}
    </details>
  );
}
