import { useState } from 'preact/hooks';
import { FEATURES, type Feature, MAX_HOW_TO_GET, UNLIMITED } from '../../../src/domain/plans.ts';
import { FEATURE_LABELS } from '../account/labels.ts';
import { post } from '../api/call.ts';
import { postOnce } from '../api/post-once.ts';
import type { OperatorPlan } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form, type Values } from '../ui/form.tsx';
import { formatMoney, formatQuota } from '../ui/format.ts';
import { Fetched } from '../ui/status.tsx';
import { actionsColumn, type Column, Table } from '../ui/table.tsx';
import { LimitFields, readLimits } from './limit-fields.tsx';
import { OperatorPage } from './operator-page.tsx';

const PLANS_PATH = '/dashboard/operator/plans';

/** The plans of the service, which the operator creates, changes and deletes. */
export function OperatorPlansPage() {
  const { refresh } = useSession();
  const loaded = useData<{ data: OperatorPlan[] }>(PLANS_PATH, { refetchOnVisible: true });
  const [managed, setManaged] = useState<string>();
  const plan = loaded.body?.data.find(({ name }) => name === managed);
  const changed = () => {
    loaded.refetch();
    // Other pages show the plans of the session.
    refresh();
  };
  return (
    <OperatorPage title="Plans of the service">
      <Fetched of={loaded}>
        {({ data }) => <PlanTable plans={data} onManage={setManaged} />}
      </Fetched>
      <h2>Create a plan</h2>
      <NewPlanForm onChanged={changed} />
      {plan && <PlanDialog plan={plan} onChanged={changed} onClose={() => setManaged(undefined)} />}
    </OperatorPage>
  );
}

interface TableProps {
  readonly plans: readonly OperatorPlan[];
  onManage(name: string): void;
}

function PlanTable({ plans, onManage }: TableProps) {
  const columns: readonly Column<OperatorPlan>[] = [
    { label: 'Name', cell: ({ name }) => name },
    { label: 'Label', cell: ({ label }) => label },
    { label: 'Per month', kind: 'number', cell: ({ price }) => formatMoney(price) },
    {
      label: 'Requests per day',
      kind: 'number',
      cell: ({ dailyRequests }) => formatQuota(dailyRequests ?? UNLIMITED),
    },
    { label: 'Features of the API', kind: 'long', cell: ({ features }) => namesOf(features) },
    actionsColumn(({ name }) => (
      <button type="button" aria-label={`Change ${name}`} onClick={() => onManage(name)}>
        Change…
      </button>
    )),
  ];
  return (
    <Table
      caption="Plans, cheapest first"
      columns={columns}
      rows={plans}
      keyOf={({ name }) => name}
    />
  );
}

function namesOf(features: readonly Feature[]): string {
  if (features.length === FEATURES.length) return 'all';
  return features.map((feature) => FEATURE_LABELS[feature]).join('; ') || 'none';
}

interface DialogProps {
  readonly plan: OperatorPlan;
  onChanged(): void;
  onClose(): void;
}

function PlanDialog({ plan, onChanged, onClose }: DialogProps) {
  const path = `${PLANS_PATH}/${plan.name}`;
  const change = async (values: Values) => {
    await post(path, readPlan(values));
    onChanged();
    return 'The plan was changed.';
  };
  const remove = async () => {
    await post(`${path}/delete`, {});
    onChanged();
    onClose();
  };
  return (
    <Dialog title={plan.name} onClose={onClose} closeLabel="Close">
      <Form action="Change the plan" onSubmit={change}>
        <PlanFields plan={plan} />
      </Form>
      <h3>Deleting</h3>
      <Form action="Delete the plan" onSubmit={remove} kind="danger">
        <p>You cannot delete a plan that is in use.</p>
      </Form>
    </Dialog>
  );
}

function NewPlanForm({ onChanged }: Pick<DialogProps, 'onChanged'>) {
  const create = async (values: Values) => {
    const { name = '' } = values;
    await postOnce(PLANS_PATH, { name: name.trim(), ...readPlan(values) });
    onChanged();
    return `The plan ${name} was created.`;
  };
  return (
    <Form action="Create the plan" onSubmit={create}>
      <Field
        name="name"
        label="Name"
        hint="Lower-case letters, digits and hyphens."
        maxLength={31}
      />
      <PlanFields />
    </Form>
  );
}

function PlanFields({ plan }: { plan?: OperatorPlan }) {
  return (
    <>
      <Field
        name="label"
        label="Label"
        hint="The name that customers see."
        value={plan?.label ?? ''}
        maxLength={40}
        isOptional
      />
      <Field
        name="price"
        label="Dollars per month"
        value={plan ? String(plan.price) : ''}
        maxLength={9}
        isOptional
      />
      <Field
        name="how-to-get"
        label="How to get it"
        hint="Shown on the plans page, such as “Order at https://shop.example or write to sales@shop.example”."
        value={plan?.howToGet ?? ''}
        maxLength={MAX_HOW_TO_GET}
        isOptional
      />
      <LimitFields limits={plan ?? {}} />
    </>
  );
}

/** @throws Error if a field is not a number. */
function readPlan(values: Values) {
  const { label = '', price = '', 'how-to-get': howToGet = '' } = values;
  if (!/^\d*(\.\d{1,2})?$/.test(price.trim()))
    throw new Error('The price must be an amount, such as 14.99.');
  return {
    ...readLimits(values),
    howToGet: howToGet.trim(),
    ...(label.trim() && { label: label.trim() }),
    ...(price.trim() && { price: Number(price) }),
  };
}
