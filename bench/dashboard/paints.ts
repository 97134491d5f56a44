declare global {
  interface Window {
    /** The milliseconds from each input or click until its outcome was painted. */
    paints: { readonly afterInput: number[]; readonly afterClick: number[] };
    /** The milliseconds from the start of the page until the price of its card was painted. */
    priceAt?: number;
  }
}

/**
 * A script that a page runs from its start. No frame is drawn before the page has its style, so the
 * price is painted with the first frame that finds it.
 */
export const RECORD_PRICE = `
  const look = () => requestAnimationFrame(() => {
    if (!document.querySelector('.headline')?.textContent.includes('$')) return look();
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { window.priceAt = performance.now(); };
    port2.postMessage(0);
  });
  look();
`;

/**
 * A script that a page runs from its start. The results of an input have arrived when `.found` is
 * no longer busy. The results of a click have arrived when a canvas gets its size. Both are painted
 * with the next frame.
 */
export const RECORD_PAINTS = `
  window.paints = { afterInput: [], afterClick: [] };
  let since, list;
  const begin = (event, times) => { since = event.timeStamp; list = times; };
  addEventListener('input', (event) => {
    if (event.target.type !== 'radio') begin(event, paints.afterInput);
  }, true);
  addEventListener('click', (event) => begin(event, paints.afterClick), true);
  const painted = () => {
    const [begun, times] = [since, list];
    since = undefined;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => times.push(performance.now() - begun);
      port2.postMessage(0);
    });
  };
  new MutationObserver((changes) => {
    if (since === undefined) return;
    if (changes.some(isDone)) painted();
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy', 'width'] });
  function isDone({ type, target }) {
    if (list === paints.afterClick) return type === 'attributes' && target.matches('canvas');
    return type === 'attributes' && target.matches('.found[aria-busy=false]');
  }
`;
