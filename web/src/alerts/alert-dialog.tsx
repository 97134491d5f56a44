import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import type { AlertKind, AlertMail } from '../../../src/domain/alerts.ts';
import { withQuery } from '../api/links.ts';
import { postOnce } from '../api/post-once.ts';
import { useSession } from '../api/session.ts';
import { SelectField } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { KIND_LABELS, MAIL_LABELS } from './labels.ts';
import { Preview } from './preview.tsx';
import {
  bodyOf,
  type DraftRule,
  hasAmount,
  hasWindow,
  suggestedRule,
  type Watched,
} from './watched.ts';

interface Props {
  readonly watched: Watched;
  onClose(): void;
}

/** The form for a new alert. It shows which past changes would have fired the alert. */
export function AlertDialog({ watched, onClose }: Props) {
  const { account } = useSession();
  const [isSaved, setSaved] = useState(false);
  const form = account ? (
    <AlertForm watched={watched} onSaved={() => setSaved(true)} />
  ) : (
    <SignInFirst />
  );
  return (
    <Dialog title="Alert me" onClose={onClose} closeLabel={isSaved ? 'Close' : 'Cancel'}>
      <p>
        <bdi>{watched.label}</bdi>
      </p>
      {isSaved ? <Saved /> : form}
    </Dialog>
  );
}

/** Leads a visitor to an account, and back to this page. */
function SignInFirst() {
  const { signUp } = useSession();
  const { url } = useLocation();
  return (
    <>
      <p>Alerts belong to an account. You come back to this page when you are signed in.</p>
      <div class="row">
        <a class="button" href={withQuery(PAGES.signIn, { back: url })}>
          Sign in
        </a>
        {signUp !== 'off' && (
          <a class="button" href={withQuery(PAGES.signUp, { back: url })}>
            Create an account
          </a>
        )}
      </div>
    </>
  );
}

function Saved() {
  const line = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => line.current?.focus(), []);
  return (
    <p class="done" role="status" tabIndex={-1} ref={line}>
      The alert is saved. <a href={PAGES.alerts}>See your alerts</a>
    </p>
  );
}

function AlertForm({ watched, onSaved }: { watched: Watched; onSaved(): void }) {
  const { mail } = useSession();
  const [rule, setRule] = useState(() => suggestedRule(watched));
  const [choice, setChoice] = useState<AlertMail>(mail ? 'now' : 'off');
  const body = bodyOf(watched, rule);
  const change = (part: Partial<DraftRule>) => setRule((before) => ({ ...before, ...part }));
  const save = async () => {
    if (body) await postOnce('/dashboard/alerts', { ...body, mail: choice, name: watched.name });
    onSaved();
  };
  return (
    <Form action="Save the alert" onSubmit={save}>
      <SelectField
        label="When the price"
        value={rule.kind}
        options={Object.entries(KIND_LABELS)}
        onChange={(kind) => change({ kind: kind as AlertKind })}
      />
      {hasAmount(rule.kind) && (
        <NumberField
          label="US dollars"
          value={rule.amount}
          step={0.01}
          max={10_000_000}
          onInput={(amount) => change({ amount })}
        />
      )}
      {hasWindow(rule.kind) && (
        <div class="row">
          <NumberField
            label="Percent"
            value={rule.percent}
            max={rule.kind === 'fall' ? 99 : 1000}
            onInput={(percent) => change({ percent })}
          />
          <NumberField
            label="Within days"
            value={rule.days}
            max={90}
            onInput={(days) => change({ days })}
          />
        </div>
      )}
      {mail ? (
        <SelectField
          label="Mail"
          value={choice}
          options={Object.entries(MAIL_LABELS)}
          onChange={(selected) => setChoice(selected as AlertMail)}
        />
      ) : (
        <p class="hint">
          What fires is listed on the page Alerts, and sent to your{' '}
          <a href={PAGES.webhooks}>webhooks</a>.
        </p>
      )}
      <Preview body={body} />
    </Form>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly value: string;
  readonly max: number;
  /** The step of the values and the smallest value; both 1 by default. */
  readonly step?: number;
  onInput(value: string): void;
}

function NumberField({ label, value, max, step = 1, onInput }: NumberFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="number"
        inputMode="decimal"
        min={step}
        max={max}
        step={step}
        required
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </div>
  );
}
