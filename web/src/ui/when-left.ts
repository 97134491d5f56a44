/** Calls `leave` when the reader presses Escape, or goes elsewhere. Returns what ends that. */
export function whenLeft(area: HTMLElement | null, leave: () => void): () => void {
  const end = new AbortController();
  const { signal } = end;
  const check = ({ target }: Event) => {
    if (!area?.contains(target as Node)) leave();
  };
  document.addEventListener('pointerdown', check, { signal });
  document.addEventListener('focusin', check, { signal });
  document.addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Escape') leave();
    },
    { signal },
  );
  return () => end.abort();
}
