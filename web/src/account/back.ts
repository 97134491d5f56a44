/** The length of the longest return address, in characters. */
const MAX_BACK = 500;

/**
 * Returns the page of this service that a return address names, if it names one. Anybody may have
 * made the address, so it must not lead to another site.
 */
export function readBack({ back = '' }: { readonly back?: string }): string | undefined {
  return back.length <= MAX_BACK && /^\/(?![/\\])/.test(back) ? back : undefined;
}
