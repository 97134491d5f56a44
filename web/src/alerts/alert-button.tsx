import { useState } from 'preact/hooks';
import { late } from '../ui/late.tsx';
import type { Watched } from './watched.ts';

const AlertDialog = late('The form', async () => (await import('./parts.ts')).AlertDialog);

/** A button that opens the form for an alert. */
export function AlertButton({ watched }: { watched: Watched }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Alert me
      </button>
      {isOpen && <AlertDialog watched={watched} onClose={() => setOpen(false)} />}
    </>
  );
}
