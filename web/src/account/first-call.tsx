import { useState } from 'preact/hooks';
import { withQuery } from '../api/query.ts';
import { CopyableText } from '../ui/copyable-text.tsx';
import { Field, Form } from '../ui/form.tsx';
import { type Answer, callWithKey } from './call-with-key.ts';
import { CodeSample, LanguageChoice, useLanguage } from './code-sample.tsx';
import { formatExport } from './code-samples.ts';
import { ErrorAdvice } from './error-advice.tsx';
import './answers.css';

const FIRST_CARD = 'charizard';

/** Makes a call with an API key right here, and shows its answer and the code that makes it. */
export function FirstCall({ apiKey }: { apiKey: string }) {
  const [name, setName] = useState(FIRST_CARD);
  const [answer, setAnswer] = useState<Answer>();
  const [language, chooseLanguage] = useLanguage();
  const send = async ({ q = '' }: Record<string, string>) => {
    setAnswer(await callWithKey(searchPath(q), apiKey));
    setName(q);
  };
  return (
    <div class="first-call">
      <section aria-labelledby="call">
        <h3 id="call">Make the first call</h3>
        <Form action="Send the call" onSubmit={send} key={name}>
          <Field
            name="q"
            label="Search for a card"
            hint="It is sent from here, with the new key, and costs one request of the quota."
            value={name}
            autocomplete="off"
            maxLength={100}
          />
        </Form>
        <div role="status">{answer && <AnswerView answer={answer} />}</div>
      </section>
      <section aria-labelledby="program">
        <h3 id="program">The same from a program</h3>
        <p>It reads the key from its environment, so that the key stands in no code:</p>
        <CopyableText text={formatExport(apiKey)} label="Copy the command" />
        <LanguageChoice language={language} onChoose={chooseLanguage} />
        <CodeSample language={language} path={searchPath(name)} label="Copy the code" />
      </section>
    </div>
  );
}

function searchPath(q: string): string {
  return withQuery('/v1/search', { q, limit: 1 });
}

function AnswerView({
  answer: { status, statusText, ms, headers, json, code },
}: {
  answer: Answer;
}) {
  return (
    <div class="answer">
      <p>
        <strong class={code === undefined ? 'answered' : 'refused'}>
          {status} {statusText}
        </strong>{' '}
        <span class="quiet">in {ms} ms</span>
      </p>
      {code !== undefined && (
        <p>
          <ErrorAdvice code={code} />
        </p>
      )}
      <dl class="headers">
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
      </dl>
      <pre class="json">
        <code>{json}</code>
      </pre>
    </div>
  );
}
