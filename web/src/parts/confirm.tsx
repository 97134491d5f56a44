import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

interface Props {
  readonly title: string;
  /** What the button that does it says. */
  readonly action: string;
  /** Does it; what it rejects with is told in the dialog. */
  onConfirm(values: Record<string, string>): Promise<void>;
  onClose(): void;
  readonly children: ComponentChildren;
}

/** Asks before something is done that cannot be undone. */
export function Confirm({ title, action, onConfirm, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form action={action} onSubmit={onConfirm} kind="danger">
        {children}
      </Form>
    </Dialog>
  );
}
