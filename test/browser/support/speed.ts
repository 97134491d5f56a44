declare global {
  interface Window {
    /**
     * The milliseconds from the start of the page until its largest text or picture was painted.
     */
    largestPaint: number;
    /** The milliseconds from each input until its results were in the page. */
    resultTimes: number[];
  }
}

/** 1.6 Mbit/s in bytes a second, and the milliseconds of each request on its way. */
export const SLOW_4G = {
  offline: false,
  downloadThroughput: 200_000,
  uploadThroughput: 93_750,
  latency: 150,
};

/** How many times slower the processor of a cheap phone is. */
export const SLOWER_PROCESSOR = 4;

/** A script that a page runs from its start. */
export const RECORD_LARGEST_PAINT = `
  window.largestPaint = 0;
  new PerformanceObserver((list) => {
    window.largestPaint = list.getEntries().at(-1).startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
`;

/**
 * A script that a page runs from its start. The results of an input have arrived when the search
 * page's list is no longer busy, or elsewhere when the suggestions change.
 */
export const RECORD_RESULTS = `
  window.resultTimes = [];
  let since;
  addEventListener('input', (event) => { since = event.timeStamp; }, true);
  const isResult = ({ type, target }) => type === 'attributes'
    ? target.matches('.found[aria-busy=false]')
    : !document.querySelector('.found') && target.closest?.('[role=listbox]');
  new MutationObserver((changes) => {
    if (since === undefined || !changes.some(isResult)) return;
    window.resultTimes.push(performance.now() - since);
    since = undefined;
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['aria-busy'] });
`;
