import { CodeSample, LanguageChoice, useLanguage } from './code-sample.tsx';

export interface CallsProps {
  /** The path of the call with its query: `/v1/games`. */
  readonly path: string;
  /** More calls of the page, by their results: `price history`. */
  readonly also?: Readonly<Record<string, string>>;
}

/** API calls as code to copy, in a language that the reader chooses. */
export function Calls({ path, also = {} }: CallsProps) {
  const [language, chooseLanguage] = useLanguage();
  return (
    <>
      <p>
        Use one of your <a href="/keys">keys</a>:
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
