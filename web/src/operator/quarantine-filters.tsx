import { useLocation } from 'preact-iso';
import { PAGES } from '../../../src/dashboard/pages.ts';
import { PRICE_SOURCES } from '../../../src/domain/sources.ts';
import { VALIDATION_RULES, type ValidationRule } from '../../../src/domain/validation-rules.ts';
import { withQuery } from '../api/query.ts';
import { useData } from '../api/use-data.ts';
import { formatCount } from '../ui/format.ts';
import { SelectField } from '../ui/select-field.tsx';
import type { Choice } from './decisions.ts';
import type { QuarantinedSet } from './responses.ts';

const ALL_OPTION = ['', 'all'] as const;

/** What the page can show, as its address names it. */
const VIEWS = [
  ['', 'what waits, by set and rule'],
  ['source', 'what waits, by source'],
  ['each', 'what waits, one by one'],
  ['decisions', 'what was decided'],
  ['rejected', 'what was rejected, one by one'],
] as const;

interface FiltersProps {
  readonly show: string;
  readonly choice: Choice;
}

/** What the page shows, and of which prices. */
export function QuarantineFilters({ show, choice }: FiltersProps) {
  const { route } = useLocation();
  const navigate = (change: Choice & { show?: string }) =>
    route(withQuery(PAGES.quarantine, { ...choice, show, ...change }));
  const rules = Object.entries(VALIDATION_RULES) as [ValidationRule, string][];
  return (
    <div class="operator-filters">
      <SelectField
        label="Show"
        value={show}
        options={VIEWS}
        onChange={(selected) => navigate({ show: selected })}
      />
      {show !== 'decisions' && (
        <>
          <SetFilter value={choice.set ?? ''} onChange={(set) => navigate({ set })} />
          <SelectField
            label="Rule"
            value={choice.rule ?? ''}
            options={[
              ALL_OPTION,
              ...rules.map(([name, meaning]) => [name, `${name}: ${meaning}`] as const),
            ]}
            onChange={(rule) => navigate({ rule })}
          />
          <SelectField
            label="Source"
            value={choice.source ?? ''}
            options={[ALL_OPTION, ...PRICE_SOURCES.map(({ name }) => [name, name] as const)]}
            onChange={(source) => navigate({ source })}
          />
        </>
      )}
    </div>
  );
}

interface SetFilterProps {
  readonly value: string;
  onChange(set: string): void;
}

/** The sets of which something waits. One that was chosen stays when nothing of it waits any more. */
function SetFilter({ value, onChange }: SetFilterProps) {
  const { body } = useData<{ data: readonly QuarantinedSet[] }>(
    '/dashboard/operator/quarantine/sets',
    { refetchOnVisible: true },
  );
  const sets = body?.data ?? [];
  const options = sets.map(({ set, name, count }) => {
    return [String(set ?? 0), `${shorten(name ?? 'of no set')} (${formatCount(count)})`] as const;
  });
  const isListed = value === '' || options.some(([set]) => set === value);
  const chosen = isListed ? [] : [[value, 'the chosen one'] as const];
  return (
    <SelectField
      label="Set"
      value={value}
      options={[ALL_OPTION, ...chosen, ...options]}
      onChange={onChange}
    />
  );
}

const LONGEST_NAME = 60;

/** An option cannot wrap: a name of 500 characters would make the list as wide as the screen. */
function shorten(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : name;
}
