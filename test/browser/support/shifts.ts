declare global {
  interface Window {
    /** The sum of the scores of all layout shifts that no input explains. */
    layoutShift: number;
  }
}

/** A script that adds up how far the parts of a page move by themselves while it loads. */
export const RECORD_SHIFTS = `
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) window.layoutShift += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
`;

/** The most that the parts of a page may move by themselves, as its score. */
export const MOST_SHIFT = 0.02;
