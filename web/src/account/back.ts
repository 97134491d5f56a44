/** The length of the longest address to come back to, in characters. */
const MAX_BACK = 500;

/**
 * Returns the page of this service that an address names as the one to come back to, if it does.
 * The address may be made by anybody, so it cannot lead to another site.
 */
export function readBack({ back = '' }: { readonly back?: string }): string | undefined {
  return back.length <= MAX_BACK && /^\/(?![/\\])/.test(back) ? back : undefined;
}
