import type { ComponentChildren, InputHTMLAttributes, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { CallError } from '../api/call.ts';
import { useAction } from './hooks.ts';
import { ErrorMessage } from './status.tsx';

/** The values of the fields of a form by name. */
export type Values = Record<string, string>;

interface FormProps {
  /** The label of the button. */
  readonly action: string;
  /**
   * Called with the values of the fields by name. If it resolves, the form shows its message and is
   * reset. If it rejects, the form shows the error and keeps the values.
   */
  onSubmit(values: Values): Promise<string> | Promise<void>;
  /** The look of the button. */
  readonly kind?: 'primary' | 'danger' | 'secondary';
  readonly children: ComponentChildren;
}

/** A form that is submitted once at a time, and shows the outcome. */
export function Form({ action, onSubmit, kind = 'primary', children }: FormProps) {
  const { isBusy, error, run } = useAction();
  const [message, setMessage] = useState<string>();
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    await run(async () => {
      setMessage(undefined);
      const outcome = await onSubmit(readValues(form));
      form.reset();
      setMessage(outcome || undefined);
    });
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      <ErrorMessage error={error && explainError(error)} />
      <p class="done" role="status">
        {message}
      </p>
      <button type="submit" class={kind} aria-disabled={isBusy}>
        {action}
      </button>
    </form>
  );
}

function readValues(form: HTMLFormElement): Values {
  return Object.fromEntries(new FormData(form)) as Values;
}

/** Adds advice for the reader to the error of an unreachable server. */
function explainError(error: Error): Error {
  if (!(error instanceof CallError) || error.status !== 0) return error;
  return new Error(`${error.message} Your entries are still here. Try again in a moment.`);
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** A sentence below the label. */
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  /** The data that browsers fill in: none by default. */
  readonly autocomplete?: string;
  readonly value?: string;
  readonly isOptional?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The earliest day of a date input, as `YYYY-MM-DD`. */
  readonly min?: string;
  /** Rendered next to the input. */
  readonly children?: ComponentChildren;
}

/** A labelled input of a form. */
export function Field({ name, label, hint, value, isOptional, children, ...input }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>
        {label} {isOptional && <span class="quiet">(optional)</span>}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class="input">
        <input
          id={id}
          name={name}
          defaultValue={value ?? ''}
          required={!isOptional}
          aria-describedby={hint ? `${id}-hint` : undefined}
          spellcheck={false}
          autocapitalize="off"
          autocomplete="off"
          // Preact types the attributes by input type; every type of FieldProps takes all of these.
          {...(input as InputHTMLAttributes<HTMLInputElement>)}
        />
        {children}
      </div>
    </div>
  );
}
