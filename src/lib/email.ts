import { domainToASCII, domainToUnicode } from 'node:url';

/** Excludes characters with a meaning in mail headers (RFC 5322), which could hide an address. */
const EMAIL = /^[^\s\p{C}@<>()[\],;:\\"]+@[^\s\p{C}@<>()[\],;:\\"]+$/u;
const MAX_LENGTH = 254;

/** A domain with non-ASCII letters, and without ASCII that would end it in a URL. */
const INTERNATIONAL = /^[\w.-]*\P{ASCII}(?:[\w.-]|\P{ASCII})*$/u;
const HOST_NAME = /@[\w.-]+$/;
/** The ASCII form of such a domain. */
const PUNYCODE = /^(?:[\w-]+\.)*xn--[\w.-]+$/;

/**
 * An e-mail address as new accounts are stored: in lower case, with the domain in its DNS form
 * (`bücher.example` is `xn--bcher-kva.example`). Undefined if the text is not an address.
 */
export function parseEmail(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !EMAIL.test(text)) return undefined;
  const email = text.toLowerCase();
  const ascii = withDomain(email, INTERNATIONAL, domainToASCII);
  // Some letters stand for several characters: U+2474 for a digit in parentheses.
  return ascii.length <= MAX_LENGTH && HOST_NAME.test(ascii) ? ascii : email;
}

/**
 * Returns every spelling under which the account of an address may be stored, the given one first:
 * older accounts may have the domain in non-ASCII letters. Returns none for other texts.
 */
export function emailSpellings(text: string): string[] {
  const email = parseEmail(text);
  if (email === undefined) return [];
  const unicode = withDomain(email, PUNYCODE, domainToUnicode);
  return [...new Set([text.toLowerCase(), email, unicode])];
}

/**
 * Rewrites the domain of an address if it has another form. A domain that cannot be rewritten
 * stays.
 */
function withDomain(email: string, form: RegExp, rewrite: (domain: string) => string): string {
  const [local = '', domain = ''] = email.split('@');
  const rewritten = form.test(domain) ? rewrite(domain) : '';
  return rewritten === '' ? email : `${local}@${rewritten}`;
}
