const EMAIL = /^[^\s\p{C}@]+@[^\s\p{C}@]+$/u;
const MAX_LENGTH = 254;

/** An e-mail address in lower case, as accounts are known by; undefined for what is none. */
export function parseEmail(text: string): string | undefined {
  return text.length <= MAX_LENGTH && EMAIL.test(text) ? text.toLowerCase() : undefined;
}
