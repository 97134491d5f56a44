import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Form } from './form.tsx';

interface DialogProps {
  readonly title: string;
  /** Called when the reader presses Escape or the button that closes the dialog. */
  onClose(): void;
  /** The label of the button that closes the dialog. */
  readonly closeLabel?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. Closing it returns the focus to where it was. */
export function Dialog({ title, onClose, closeLabel = 'Cancel', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect closes the dialog while it is still in the document: only that restores focus.
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
        {closeLabel}
      </button>
    </dialog>
  );
}

interface ConfirmDialogProps {
  readonly title: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** Does what was confirmed. The dialog shows the error with which it rejects. */
  onConfirm(values: Record<string, string>): Promise<void>;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} onSubmit={onConfirm} kind="danger">
        {children}
      </Form>
    </Dialog>
  );
}
