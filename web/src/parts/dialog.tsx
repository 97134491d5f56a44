import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  readonly title: string;
  /** Called when the reader wants it gone: Escape, or the button. */
  onClose(): void;
  /** What the button that closes it says. */
  readonly closing?: string;
  readonly children: ComponentChildren;
}

/** Over the page for as long as it is rendered; then the focus goes back to where it was. */
export function Dialog({ title, onClose, closing = 'Cancel', children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Before it leaves the page: only then does closing it give the focus back.
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <button type="button" class="closing" onClick={onClose}>
        {closing}
      </button>
    </dialog>
  );
}
