declare global {
  interface Window {
    /** Milliseconds from what the reader did until its outcome was painted, one for each time. */
    paints: { readonly afterInput: number[]; readonly afterClick: number[] };
  }
}

/**
 * Runs in a page from its start. What was asked for has come when the part of the page that was
 * busy with it is so no more; it is painted when the frame after that has been drawn.
 */
export const NOTE_PAINTS = `
  window.paints = { afterInput: [], afterClick: [] };
  let since, list;
  const begin = (event, times) => { since = event.timeStamp; list = times; };
  addEventListener('input', (event) => begin(event, paints.afterInput), true);
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
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
  function isDone({ type, target, addedNodes }) {
    if (list === paints.afterClick) return [...addedNodes].some((node) => node.querySelector?.('canvas') || node.nodeName === 'CANVAS');
    return type === 'attributes' && target.matches('.found[aria-busy=false]');
  }
`;
