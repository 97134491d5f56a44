import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import { postOnce } from '../api/post-once.ts';
import type { Delivery, NewWebhook, Webhook } from '../api/responses.ts';
import { useData } from '../api/use-data.ts';
import { Breakable } from '../ui/breakable.tsx';
import { ConfirmButton } from '../ui/dialog.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { useAction } from '../ui/hooks.ts';
import { Page } from '../ui/page.tsx';
import { CopyableText, Disclosure } from '../ui/parts.tsx';
import { ErrorMessage, Fetched, type Outcome, OutcomeMessage } from '../ui/status.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { Age, LocalDate } from '../ui/time.tsx';

/** Interval at which an open delivery log is fetched again, in milliseconds. */
const POLL_MS = 3000;

/** The webhooks of the account. */
export function WebhooksPage() {
  const loaded = useData<{ data: Webhook[] }>('/dashboard/webhooks', { refetchOnVisible: true });
  const { refetch } = loaded;
  const [fresh, setFresh] = useState<NewWebhook>();
  const [outcome, setOutcome] = useState<Outcome>();
  const showSecret = (webhook: NewWebhook) => {
    setFresh(webhook);
    setOutcome(undefined);
    refetch();
  };
  const showOutcome = (text: string) => {
    setOutcome({ text });
    refetch();
  };
  return (
    <Page title="Webhooks">
      <p>
        A webhook is an address of yours that this service calls when new prices are published. Your
        program receives signed JSON (
        <a href="https://www.standardwebhooks.com">Standard Webhooks</a>
        ); an address of Discord or Slack gets a message.
      </p>
      {fresh && (
        <NewSecret key={fresh.secret} webhook={fresh} onDismiss={() => setFresh(undefined)} />
      )}
      <OutcomeMessage outcome={outcome} />
      <Fetched of={loaded}>
        {({ data: webhooks }) => (
          <>
            {webhooks.length === 0 && <p>The account has no webhooks.</p>}
            {webhooks.map((webhook) => (
              <WebhookSection
                key={webhook.id}
                webhook={webhook}
                onSecret={showSecret}
                onOutcome={showOutcome}
              />
            ))}
            <AddWebhook onAdded={showSecret} />
          </>
        )}
      </Fetched>
    </Page>
  );
}

/** The new secret of a webhook, which is not shown again. */
function NewSecret({ webhook, onDismiss }: { webhook: NewWebhook; onDismiss(): void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class="fresh" aria-labelledby="fresh">
      <h2 id="fresh" ref={heading} tabIndex={-1}>
        The new secret
      </h2>
      <p>
        It signs the messages to <Breakable text={webhook.url} />. Copy it now: it is not shown
        again after you leave this page.
      </p>
      <CopyableText text={webhook.secret} label="Copy the secret" />
      <button type="button" onClick={onDismiss}>
        I copied it, hide it
      </button>
    </section>
  );
}

function AddWebhook({ onAdded }: { onAdded(webhook: NewWebhook): void }) {
  const add = async ({ url = '' }: Values) => {
    const body = { url: url.trim() };
    onAdded((await postOnce<{ data: NewWebhook }>('/dashboard/webhooks', body)).data);
  };
  return (
    <>
      <h2>Add a webhook</h2>
      <Form action="Add the webhook" onSubmit={add}>
        <Field
          name="url"
          label="URL"
          hint="An https:// address on the internet, such as https://shop.example/prices."
          maxLength={500}
        />
      </Form>
    </>
  );
}

interface SectionProps {
  readonly webhook: Webhook;
  onSecret(webhook: NewWebhook): void;
  onOutcome(text: string): void;
}

/** A webhook with its actions and its delivery log. */
function WebhookSection({ webhook, onSecret, onOutcome }: SectionProps) {
  const id = useId();
  const { error, run } = useAction();
  const path = `/dashboard/webhooks/${webhook.id}`;
  const isEnabled = webhook.disabledAt === null;
  const send = (action: string, outcome: string) => {
    return run(async () => {
      await post(`${path}/${action}`);
      onOutcome(outcome);
    });
  };
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>
        <Breakable text={webhook.url} />
      </h2>
      <WebhookStatus webhook={webhook} />
      <div class="row">
        {isEnabled ? (
          <>
            <button type="button" onClick={() => send('test', 'A test is on its way.')}>
              Send a test
            </button>
            <button type="button" onClick={() => send('disable', 'The webhook is disabled.')}>
              Disable
            </button>
          </>
        ) : (
          <button type="button" onClick={() => send('enable', 'The webhook is enabled.')}>
            Enable
          </button>
        )}
        <ConfirmButton
          label="Replace the secret…"
          title="Replace the secret?"
          action="Replace"
          onConfirm={() => postOnce<{ data: NewWebhook }>(`${path}/rotate`)}
          onDone={({ data }) => onSecret(data)}
        >
          <p>Messages are signed with both secrets for 24 hours, so you can change your program.</p>
        </ConfirmButton>
        <ConfirmButton
          label="Delete…"
          title="Delete the webhook?"
          action="Delete"
          onConfirm={() => post(`${path}/delete`)}
          onDone={() => onOutcome('The webhook is deleted.')}
        >
          <p>
            <Breakable text={webhook.url} /> is no longer called, and its delivery log is deleted.
          </p>
        </ConfirmButton>
      </div>
      <ErrorMessage error={error} />
      <Disclosure
        summary="Deliveries"
        render={() => <Deliveries path={path} isEnabled={isEnabled} />}
      />
    </section>
  );
}

function WebhookStatus({
  webhook: { createdAt, disabledAt, disabledReason },
}: {
  webhook: Webhook;
}) {
  if (disabledAt === null) {
    return (
      <p>
        Added <LocalDate iso={createdAt} />.
      </p>
    );
  }
  return (
    <p class={disabledReason === null ? undefined : 'notice'}>
      Disabled since <LocalDate iso={disabledAt} />
      {disabledReason !== null && ` (${disabledReason})`}.
    </p>
  );
}

/** The newest events of a webhook. */
function Deliveries({ path, isEnabled }: { path: string; isEnabled: boolean }) {
  const loaded = useData<{ data: Delivery[] }>(`${path}/deliveries`, { pollMs: POLL_MS });
  const { error, run } = useAction();
  const resend = ({ id }: Delivery) => {
    return run(async () => {
      await post(`${path}/deliveries/${id}/resend`);
      loaded.refetch();
    });
  };
  const actions = actionsColumn<Delivery>((delivery) => {
    if (!isEnabled || delivery.state === 'waiting') return null;
    return (
      <button type="button" onClick={() => resend(delivery)}>
        Send again
      </button>
    );
  });
  return (
    <Fetched of={loaded}>
      {({ data }) => (
        <>
          <ErrorMessage error={error} />
          {data.length === 0 ? (
            <p>Nothing was sent yet.</p>
          ) : (
            <Table
              caption="Deliveries of the last ten days"
              columns={[...DELIVERY_COLUMNS, actions]}
              rows={data}
              keyOf={({ id }) => id}
            />
          )}
        </>
      )}
    </Fetched>
  );
}

const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  { label: 'Event', cell: ({ type }) => <code>{type}</code> },
  { label: 'When', cell: ({ at }) => <Age iso={at} />, title: ({ id }) => id },
  { label: 'State', cell: ({ state }) => state },
  { label: 'Attempts', kind: 'number', cell: ({ attempts }) => attempts },
  { label: 'Last answer', cell: ({ log }) => <Answers log={log} /> },
];

/** The last answer of the receiver, or why there is none. All attempts are behind it. */
function Answers({ log }: Pick<Delivery, 'log'>) {
  const last = log.at(-1);
  if (!last) return <>none yet</>;
  if (log.length === 1) return <>{answerOf(last)}</>;
  const all = () => (
    <ol>
      {log.map((attempt) => (
        <li key={attempt.at}>
          <Age iso={attempt.at} />: {answerOf(attempt)}
        </li>
      ))}
    </ol>
  );
  return <Disclosure summary={answerOf(last)} render={all} />;
}

function answerOf({ status, error, durationMs }: Delivery['log'][number]): string {
  const answer = status === null ? (error ?? 'no answer') : `answered ${status}`;
  return `${answer} after ${durationMs} ms`;
}
