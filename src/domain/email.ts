/** Excludes characters with a meaning in mail headers (RFC 5322), which could hide an address. */
const EMAIL = /^[^\s\p{C}@<>()[\],;:\\"]+@[^\s\p{C}@<>()[\],;:\\"]+$/u;
const MAX_LENGTH = 254;

/** An e-mail address in lower case, as accounts are stored; undefined when the text is not one. */
export function parseEmail(text: string): string | undefined {
  return text.length <= MAX_LENGTH && EMAIL.test(text) ? text.toLowerCase() : undefined;
}
