const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;

/** Returns the language of a name for the attribute `lang`, as far as its script tells it. */
export function languageOf(name: string): 'ja' | undefined {
  return JAPANESE.test(name) ? 'ja' : undefined;
}
