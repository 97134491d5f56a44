import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface Props {
  readonly title: string;
  /** The label of the button that confirms. */
  readonly action: string;
  /** Does what was confirmed. The dialog shows the error with which it rejects. */
  onConfirm(values: Record<string, string>): Promise<void>;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} onSubmit={onConfirm} kind="danger">
        {children}
      </Form>
    </Dialog>
  );
}
