import { useEffect, useState } from 'preact/hooks';
import { CopyableText } from '../ui/copyable-text.tsx';
import { formatSample, LANGUAGES, type Language } from './code-samples.ts';

/** Where the browser keeps the language that its reader has chosen. */
const STORAGE_KEY = 'cardprice-language';

/** The language of code samples, which the browser remembers. */
export function useLanguage(): [Language, (language: Language) => void] {
  const [language, setLanguage] = useState<Language>('curl');
  useEffect(() => {
    const kept = localStorage.getItem(STORAGE_KEY);
    setLanguage(LANGUAGES.find((known) => known === kept) ?? 'curl');
  }, []);
  const choose = (chosen: Language) => {
    setLanguage(chosen);
    localStorage.setItem(STORAGE_KEY, chosen);
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
