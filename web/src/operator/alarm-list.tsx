import { useLocation } from 'preact-iso';
import { InlineCode } from '../ui/parts.tsx';
import { LastUse } from '../ui/time.tsx';
import type { Alarm } from './alarms.ts';

/** Alarms, each with its age, its remedy and a link to the page with details. */
export function AlarmList({ alarms }: { alarms: readonly Alarm[] }) {
  const { path } = useLocation();
  return (
    <ul class="alarms">
      {alarms.map(({ state, about, says, last, fix, href }) => (
        <li key={`${about} ${says}`} class={state}>
          <p>
            <strong class="state">{state}</strong>{' '}
            <strong>{href === path ? about : <a href={href}>{about}</a>}</strong>{' '}
            <InlineCode text={says} />
          </p>
          <p class="hint">
            {last && (
              <>
                {last[0]}: <LastUse at={last[1]} />.{' '}
              </>
            )}
            <InlineCode text={fix} />
          </p>
        </li>
      ))}
    </ul>
  );
}
