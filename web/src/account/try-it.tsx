import { Disclosure } from '../ui/disclosure.tsx';
import { CodeSample, LanguageChoice, useLanguage } from './code-sample.tsx';

interface Props {
  /** The path of the call with its query: `/v1/games`. */
  readonly path: string;
  /** Further calls of the page, by what they return: `price history`. */
  readonly also?: Readonly<Record<string, string>>;
}

/** The API calls that return the data of a page, as code to copy; readers of prices need none. */
export function TryIt(props: Props) {
  return (
    <section class="try-it">
      <Disclosure summary="The same from the API" render={() => <Calls {...props} />} />
    </section>
  );
}

function Calls({ path, also = {} }: Props) {
  const [language, chooseLanguage] = useLanguage();
  return (
    <>
      <p>
        With one of your <a href="/keys">keys</a>:
      </p>
      <LanguageChoice language={language} onChoose={chooseLanguage} />
      <CodeSample language={language} path={path} label="Copy the call" />
      {Object.entries(also).map(([what, other]) => (
        <div key={what}>
          <p>For the {what}:</p>
          <CodeSample language={language} path={other} label={`Copy the call for the ${what}`} />
        </div>
      ))}
    </>
  );
}
