import { useState } from 'preact/hooks';
import { post } from '../api/call.ts';
import type { OperatorPlan, OperatorPlansBody } from '../api/responses.ts';
import { useSession } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field, Form } from '../ui/form.tsx';
import { formatCount, formatMoney } from '../ui/format.ts';
import { ActionsHeading } from '../ui/parts.tsx';
import { Loading, PermanentError } from '../ui/status.tsx';
import { LimitFields, readLimits } from './limit-fields.tsx';
import { OperatorPage } from './operator-page.tsx';

const PLANS_PATH = '/dashboard/operator/plans';

/** The plans of the service, which the operator creates, changes and deletes. */
export function OperatorPlansPage() {
  const { refresh } = useSession();
  const { body, error, refetch } = useData<OperatorPlansBody>(PLANS_PATH, {
    refetchOnVisible: true,
  });
  const [managed, setManaged] = useState<string>();
  const plan = body?.data.find(({ name }) => name === managed);
  const changed = () => {
    refetch();
    // Other pages show the plans of the session.
    refresh();
  };
  return (
    <OperatorPage title="Plans of the service">
      {body ? <PlanTable plans={body.data} onManage={setManaged} /> : <Loading error={error} />}
      {body && <PermanentError error={error} />}
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
  return (
    <table class="stack">
      <caption class="sr-only">Plans, cheapest first</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Label</th>
          <th scope="col" class="number">
            Per month
          </th>
          <th scope="col" class="number">
            Requests per day
          </th>
          <th scope="col">Features</th>
          <ActionsHeading />
        </tr>
      </thead>
      <tbody>
        {plans.map((plan) => (
          <PlanRow key={plan.name} plan={plan} onManage={onManage} />
        ))}
      </tbody>
    </table>
  );
}

function PlanRow({ plan, onManage }: { plan: OperatorPlan } & Pick<TableProps, 'onManage'>) {
  const { name, label, price, dailyRequests, features } = plan;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td data-label="Label">{label}</td>
      <td data-label="Per month" class="number">
        {formatMoney(price)}
      </td>
      <td data-label="Requests per day" class="number">
        {dailyRequests === null ? 'unlimited' : formatCount(dailyRequests)}
      </td>
      <td data-label="Features" class="long">
        {features.join(', ') || 'none'}
      </td>
      <td>
        <button type="button" aria-label={`Change ${name}`} onClick={() => onManage(name)}>
          Change…
        </button>
      </td>
    </tr>
  );
}

interface DialogProps {
  readonly plan: OperatorPlan;
  onChanged(): void;
  onClose(): void;
}

function PlanDialog({ plan, onChanged, onClose }: DialogProps) {
  const path = `${PLANS_PATH}/${plan.name}`;
  const change = async (values: Record<string, string>) => {
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
        <p>A plan in use cannot be deleted.</p>
      </Form>
    </Dialog>
  );
}

function NewPlanForm({ onChanged }: Pick<DialogProps, 'onChanged'>) {
  const create = async (values: Record<string, string>) => {
    const { name = '' } = values;
    await post(PLANS_PATH, { name: name.trim(), ...readPlan(values) });
    onChanged();
    return `The plan ${name} was created.`;
  };
  return (
    <Form action="Create the plan" onSubmit={create}>
      <Field
        name="name"
        label="Name"
        hint="Lower-case letters, digits and hyphens."
        autocomplete="off"
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
        autocomplete="off"
        maxLength={40}
        isOptional
      />
      <Field
        name="price"
        label="Dollars per month"
        value={plan ? String(plan.price) : ''}
        autocomplete="off"
        maxLength={9}
        isOptional
      />
      <LimitFields limits={plan ?? {}} />
    </>
  );
}

/** @throws Error if a field is not a number. */
function readPlan(values: Record<string, string>) {
  const { label = '', price = '' } = values;
  if (!/^\d*(\.\d{1,2})?$/.test(price.trim()))
    throw new Error('The price must be an amount, such as 14.99.');
  return {
    ...readLimits(values),
    ...(label.trim() && { label: label.trim() }),
    ...(price.trim() && { price: Number(price) }),
  };
}
