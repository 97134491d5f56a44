import './controls.css';
import type { ComponentChildren, TargetedEvent } from 'preact';
import { useState } from 'preact/hooks';
import { formatMoney } from './format.ts';

/** A name chosen by a reader. */
export function GivenName({ name }: { name: string }) {
  return (
    <strong>
      <bdi>{name}</bdi>
    </strong>
  );
}

/** A few facts side by side. */
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

/** A text in which backticks enclose code. */
export function InlineCode({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, index) => {
        // Every second part is between backticks.
        return index % 2 === 1 ? <code key={part}>{part}</code> : part;
      })}
    </>
  );
}

interface MoneyProps {
  readonly amount: number | null;
  /** US dollars by default. */
  readonly currency?: string | undefined;
}

/** An amount, or `no price`. */
export function Money({ amount, currency }: MoneyProps) {
  if (amount === null) return <span class="quiet">no price</span>;
  return <span>{formatMoney(amount, currency)}</span>;
}

interface CopyableTextProps {
  readonly text: string;
  /** The label of the button. */
  readonly label: string;
}

/** A text to use elsewhere, such as a command, with a button that copies it. */
export function CopyableText({ text, label }: CopyableTextProps) {
  return (
    <div class="command">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={() => text} label={label} otherwise={() => 'Select the text instead.'} />
    </div>
  );
}

interface CopyButtonProps {
  readonly label: string;
  /** Returns the text. */
  text(): string;
  /** Returns advice for the reader if the browser does not allow copying. */
  otherwise(text: string): string;
}

/** Shows whether copying worked. Browsers may not allow it on a page without TLS. */
export function CopyButton({ label, text, otherwise }: CopyButtonProps) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      setOutcome('Copied.');
    } catch {
      setOutcome(`Your browser does not allow this page to copy. ${otherwise(text())}`);
    }
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {label}
      </button>{' '}
      <span role="status">{outcome}</span>
    </>
  );
}

interface DisclosureProps {
  readonly summary: string;
  /** Called only once the reader has opened the disclosure. */
  render(): ComponentChildren;
}

/** Content behind a summary, rendered when the reader first opens it. */
export function Disclosure({ summary, render }: DisclosureProps) {
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
