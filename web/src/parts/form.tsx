import type { ComponentChildren, InputHTMLAttributes, TargetedSubmitEvent } from 'preact';
import { useId, useState } from 'preact/hooks';
import { CallError } from '../api.ts';
import { ErrorNote } from './waiting.tsx';

interface FormProps {
  /** What the button says. */
  readonly action: string;
  /**
   * Called with the fields by name. What it resolves with is told to the reader, and the fields are
   * as at first; what it rejects with is told, and they stay filled.
   */
  onSubmit(values: Record<string, string>): Promise<string> | Promise<void>;
  /** How much the button stands out. */
  readonly kind?: 'primary' | 'danger' | 'secondary';
  readonly children: ComponentChildren;
}

interface Outcome {
  readonly done?: string;
  readonly error?: Error;
}

/** A form that can be sent once at a time and says what came of it. */
export function Form({ action, onSubmit, kind = 'primary', children }: FormProps) {
  const [{ done, error }, setOutcome] = useState<Outcome>({});
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const form = event.currentTarget;
    setBusy(true);
    setOutcome({});
    try {
      const told = await onSubmit(valuesOf(form));
      form.reset();
      setOutcome(told ? { done: told } : {});
    } catch (refusal) {
      setOutcome({ error: explained(refusal as Error) });
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="form" onSubmit={submit}>
      {children}
      <ErrorNote error={error} />
      <p class="done" role="status">
        {done}
      </p>
      <button type="submit" class={kind} aria-disabled={isBusy}>
        {action}
      </button>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): Record<string, string> {
  return Object.fromEntries(new FormData(form)) as Record<string, string>;
}

/** The refusal, with what to do where the server could not say it. */
function explained(refusal: Error): Error {
  if (!(refusal instanceof CallError) || refusal.status !== 0) return refusal;
  return new Error(`${refusal.message} What you entered is still here: send it again in a moment.`);
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  /** A sentence below the label. */
  readonly hint?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly autocomplete?: string;
  readonly value?: string;
  readonly isOptional?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The earliest day of a date. */
  readonly min?: string;
  /** What stands beside the input. */
  readonly children?: ComponentChildren;
}

/** One labelled input of a form. */
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
          // The types tell apart what each kind of input may have; all of ours may have these.
          {...(input as InputHTMLAttributes<HTMLInputElement>)}
        />
        {children}
      </div>
    </div>
  );
}
