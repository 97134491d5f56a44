import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Form, type Values } from './form.tsx';

interface DialogProps {
  readonly title: string;
  /** Called when the reader presses Escape or the button that closes the dialog. */
  onClose(): void;
  /** The label of the button that closes the dialog. */
  readonly closeLabel?: string;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is rendered. Closing it restores the focus. */
export function Dialog({ title, onClose, closeLabel = 'Cancel', children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect closes the dialog while it is still in the document, which is necessary to
  // restore the focus.
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

interface ConfirmDialogProps<Result> {
  readonly title: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** Performs the confirmed action. If it rejects, the dialog shows the error. */
  onConfirm(values: Values): Promise<Result>;
  /** Called with the result, once the dialog is closed. */
  onDone?(result: Result): void;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** Asks for confirmation before an action that cannot be undone. Closes once the action is done. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { title, action, onConfirm, onDone, onClose, children } = props;
  const confirm = async (values: Values) => {
    const result = await onConfirm(values);
    onClose();
    onDone?.(result);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} onSubmit={confirm} kind="danger">
        {children}
      </Form>
    </Dialog>
  );
}

interface ConfirmButtonProps<Result> extends Omit<ConfirmDialogProps<Result>, 'onClose'> {
  /** The label of the button that opens the dialog. */
  readonly label: string;
}

/** A button that asks for confirmation. */
export function ConfirmButton<Result>({ label, ...dialog }: ConfirmButtonProps<Result>) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && <ConfirmDialog {...dialog} onClose={() => setAsking(false)} />}
    </>
  );
}
