import { useState } from 'preact/hooks';

/** Copies a text, and says whether that worked: a page without TLS may not always copy. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [outcome, setOutcome] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('Copied.');
    } catch {
      setOutcome('Your browser does not let this page copy. Select the text instead.');
    }
  };
  return (
    <span class="copy">
      <button type="button" onClick={copy}>
        {label}
      </button>{' '}
      <span role="status">{outcome}</span>
    </span>
  );
}
