import { CopyButton } from './copy-button.tsx';

interface Props {
  /** The path of the call with its query: `/v1/games`. */
  readonly path: string;
  /** Further calls of the page, by what they give: `price history`. */
  readonly also?: Readonly<Record<string, string>>;
}

/** The API calls that give what a page shows. */
export function TryIt({ path, also = {} }: Props) {
  return (
    <section class="try-it" aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <p>
        The same from the API, with one of your <a href="/keys">keys</a>:
      </p>
      <Command text={commandOf(path)} label="Copy the call" />
      {Object.entries(also).map(([what, other]) => (
        <div key={what}>
          <p>For the {what}:</p>
          <Command text={commandOf(other)} label={`Copy the call for the ${what}`} />
        </div>
      ))}
    </section>
  );
}

function commandOf(path: string): string {
  return curlLine(path, '$CARDPRICE_KEY');
}

/** A line for the terminal, with a button that copies it. */
export function Command({ text, label }: { text: string; label: string }) {
  return (
    <div class="command">
      <pre>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}

/** How to ask for `path` in a terminal. */
export function curlLine(path: string, key: string): string {
  return `curl -H "X-API-Key: ${key}" '${location.origin}${path}'`;
}
