import { CopyableText } from '../ui/copyable-text.tsx';

interface Props {
  /** The path of the call with its query: `/v1/games`. */
  readonly path: string;
  /** Further calls of the page, by what they return: `price history`. */
  readonly also?: Readonly<Record<string, string>>;
}

/** The API calls that return the data of a page, as commands to copy. */
export function TryIt({ path, also = {} }: Props) {
  return (
    <section class="try-it" aria-labelledby="try-it">
      <h2 id="try-it">Try it</h2>
      <p>
        The same from the API, with one of your <a href="/keys">keys</a>:
      </p>
      <CopyableText text={formatCurl(path)} label="Copy the call" />
      {Object.entries(also).map(([what, other]) => (
        <div key={what}>
          <p>For the {what}:</p>
          <CopyableText text={formatCurl(other)} label={`Copy the call for the ${what}`} />
        </div>
      ))}
    </section>
  );
}

/** Returns the curl command that calls `path`, by default with the API key of a shell variable. */
export function formatCurl(path: string, apiKey = '$CARDPRICE_KEY'): string {
  return `curl -H "X-API-Key: ${apiKey}" '${location.origin}${path}'`;
}
