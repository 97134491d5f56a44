import type { ComponentChildren } from 'preact';
import './facts.css';

/** A few facts of one thing, beside each other. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

interface FactProps {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
