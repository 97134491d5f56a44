import { useState } from 'preact/hooks';

interface Props {
  readonly text: string;
  /** The label of the button. */
  readonly label: string;
}

/** A text to be used elsewhere, such as a command, with a button that copies it. */
export function CopyableText({ text, label }: Props) {
  return (
    <div class="command">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** Reports whether copying worked: browsers may refuse it to a page without TLS. */
function CopyButton({ text, label }: Props) {
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
