import { useEffect, useState } from 'preact/hooks';
import { formatSample, LANGUAGES, type Language } from './code-samples.ts';
import { CopyableText } from './parts.tsx';

/** The last language chosen by the reader, until the page is reloaded. */
let chosenLanguage: Language = 'curl';

/** The language of code samples. */
export function useLanguage(): [Language, (language: Language) => void] {
  const [language, setLanguage] = useState(chosenLanguage);
  const choose = (chosen: Language) => {
    chosenLanguage = chosen;
    setLanguage(chosen);
  };
  return [language, choose];
}

interface ChoiceProps {
  readonly language: Language;
  onChoose(language: Language): void;
}

/** Buttons that choose the language of the samples. */
export function LanguageChoice({ language, onChoose }: ChoiceProps) {
  return (
    <fieldset class="choice languages">
      <legend class="sr-only">Language of the code</legend>
      {LANGUAGES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === language}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

interface SampleProps {
  readonly language: Language;
  /** The path of the call with its query: `/v1/games`. */
  readonly path: string;
  /** The label of the button that copies it. */
  readonly label: string;
}

/** The code of an API call at the address of this service, which can be copied. */
export function CodeSample({ language, path, label }: SampleProps) {
  return <CopyableText text={formatSample(language, useOrigin() + path)} label={label} />;
}

/** The origin of this service, once the page runs in a browser. */
function useOrigin(): string {
  const [origin, setOrigin] = useState('');
  useEffect(() => setOrigin(location.origin), []);
  return origin;
}
