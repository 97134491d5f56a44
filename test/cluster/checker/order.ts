/** Something that was sent and received. */
interface Exchange {
  readonly sent: number;
  readonly received: number;
}

/**
 * Compares each of `later` with the best of those `earlier` ones that were received before it was
 * sent: only of these is it known that they came first. `isBetter` says which of two to judge by.
 */
export function eachAfter<Earlier extends Exchange, Later extends Exchange>(
  earlier: readonly Earlier[],
  later: readonly Later[],
  isBetter: (one: Earlier, than: Earlier) => boolean,
  judge: (later: Later, best: Earlier) => string | undefined,
): string[] {
  const byReceived = earlier.toSorted((a, b) => a.received - b.received);
  let at = 0;
  let best: Earlier | undefined;
  return later
    .toSorted((a, b) => a.sent - b.sent)
    .flatMap((one) => {
      for (let next = byReceived[at]; next && next.received <= one.sent; next = byReceived[at]) {
        if (!best || isBetter(next, best)) best = next;
        at += 1;
      }
      return (best && judge(one, best)) ?? [];
    });
}
