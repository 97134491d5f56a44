import { type Static, Type } from 'typebox';
import { Alerts } from '../../accounts/alerts/alerts.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { AlertBody, AlertEventItem, AlertItem, AlertPreview } from '../alert-schemas.ts';
import { Limit } from '../parameters.ts';
import { Many, One } from '../schemas.ts';
import { foundLines, linesOfSet, readDraft, startOf } from './alert-draft.ts';
import { previewOf } from './alert-preview.ts';
import { alertDetail, alertView, eventView } from './alert-view.ts';
import {
  accountOf,
  Creation,
  defineEndpoint,
  type PlanHistory,
  type PlanHolder,
  type Resources,
} from './endpoint.ts';

/** The alerts of the caller's account. Alerts of other accounts are treated as unknown. */

const OF_CALLER = { scope: 'alerts', isOfCaller: true } as const;

const AlertPath = Type.Object({
  id: Type.String({ description: 'Id of the alert.', examples: ['1'] }),
});

/** The services that change and show alerts of an account. */
export interface AlertServices extends Pick<Resources, 'catalog' | 'clock'> {
  readonly alerts: Alerts;
}

interface Owner extends Pick<PlanHolder, 'plan'> {
  readonly accountId: number;
}

function ownerOf(caller: PlanHolder): Owner {
  return { accountId: accountOf(caller), plan: caller.plan };
}

/** The errors of a call with a description of an alert. */
const BODY_ERRORS = [
  'INVALID_BODY',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'CARD_NOT_FOUND',
  'SET_NOT_FOUND',
  'PLAN_RESTRICTION',
] as const;

export const listAlerts = defineEndpoint({
  ...OF_CALLER,
  method: 'GET',
  path: '/v1/alerts',
  errors: [],
  schema: {
    operationId: 'listAlerts',
    summary: 'List your alerts',
    description: 'The newest first.',
    response: { 200: Many(AlertItem, 'The alerts.') },
  },
  async answer({ alerts, catalog }, _request, _history, caller) {
    const list = await alerts.list(accountOf(caller));
    return { data: list.map((alert) => alertView(catalog, alert)) };
  },
});

export const createAlert = defineEndpoint({
  ...OF_CALLER,
  method: 'POST',
  path: '/v1/alerts',
  creates: true,
  errors: BODY_ERRORS,
  schema: {
    operationId: 'createAlert',
    summary: 'Make an alert on prices',
    description: 'It judges prices that are published later.',
    body: AlertBody,
    response: { 200: One(AlertItem) },
  },
  async answer({ catalog, clock }, { body }, history, caller) {
    const create = await prepareAlert({ catalog }, body, history, ownerOf(caller));
    return new Creation(async (store) => {
      return { data: alertView(catalog, await create(new Alerts(store, clock))) };
    });
  },
});

/**
 * Reads everything that an alert needs from the catalogue and its history. Returns a function that
 * saves the alert.
 */
export async function prepareAlert(
  { catalog }: { readonly catalog: Catalog },
  body: Static<typeof AlertBody>,
  history: PlanHistory,
  owner: Owner,
) {
  const { publication } = catalog;
  const draft = readDraft(catalog, body);
  const watch = await startOf(catalog, draft, history);
  return (alerts: Alerts) => alerts.create(owner, { ...draft, ...watch }, publication);
}

export const previewAlert = defineEndpoint({
  ...OF_CALLER,
  method: 'POST',
  path: '/v1/alerts/preview',
  errors: BODY_ERRORS,
  schema: {
    operationId: 'previewAlert',
    summary: 'List what an alert would have fired in the last year',
    description: 'Saves nothing. Needs history in the plan.',
    body: AlertBody,
    response: { 200: One(AlertPreview) },
  },
  async answer({ catalog }, { body }, history) {
    return { data: await previewOf(catalog, readDraft(catalog, body), history) };
  },
});

const EventsQuery = Type.Object({
  alert: Type.Optional(Type.String({ maxLength: 20, description: 'Id of an alert.' })),
  limit: Limit(100, 1000),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'The last id of a page.' })),
});

export const alertEvents = defineEndpoint({
  ...OF_CALLER,
  method: 'GET',
  path: '/v1/alerts/events',
  errors: ['ALERT_NOT_FOUND'],
  schema: {
    operationId: 'listAlertEvents',
    summary: 'List what your alerts have fired',
    description: 'The newest first, of 400 days. `after` continues after a page.',
    querystring: EventsQuery,
    response: { 200: Many(AlertEventItem, 'The events.') },
  },
  async answer({ alerts, catalog }, { query }, _history, caller) {
    const events = await alerts.events(accountOf(caller), query);
    return { data: events.map((event) => eventView(catalog, event)) };
  },
});

export const getAlert = defineEndpoint({
  ...OF_CALLER,
  method: 'GET',
  path: '/v1/alerts/:id',
  errors: ['ALERT_NOT_FOUND'],
  schema: {
    operationId: 'getAlert',
    summary: 'Get one of your alerts',
    description: 'With all prices that it watches.',
    params: AlertPath,
    response: { 200: One(AlertItem) },
  },
  async answer({ alerts, catalog }, { params: { id } }, _history, caller) {
    return { data: await detailOf({ alerts, catalog }, id, accountOf(caller)) };
  },
});

/** An alert with all prices that it watches. */
export async function detailOf(
  { alerts, catalog }: Pick<AlertServices, 'alerts' | 'catalog'>,
  id: string,
  accountId: number,
) {
  const alert = await alerts.find(id, accountId);
  return alertDetail(catalog, alert, await alerts.lines(id, accountId));
}

/** The changes of an alert, by the last part of the path. */
export const ALERT_CHANGES = {
  pause: ({ alerts }: AlertServices, id: string, { accountId }: Owner) => {
    return alerts.pause(id, accountId);
  },
  resume: restart,
  delete: ({ alerts }: AlertServices, id: string, { accountId }: Owner) => {
    return alerts.delete(id, accountId);
  },
};

/** Resumes an alert, which then behaves like a new one. */
async function restart(
  { alerts, catalog }: AlertServices,
  id: string,
  { accountId }: Owner,
  history: PlanHistory,
) {
  const { publication } = catalog;
  const { set, name, mail, ...rule } = await alerts.find(id, accountId);
  const stored = set === null ? await alerts.lines(id, accountId) : [];
  const found = set === null ? undefined : catalog.set(set)?.set;
  const lines = found ? linesOfSet(catalog, found) : foundLines(catalog, stored);
  const watch = await startOf(catalog, { rule, name, mail, set: found ?? null, lines }, history);
  // Cards that are temporarily gone stay watched.
  const known = new Map(watch.lines.map((line) => [`${line.card} ${line.printing}`, line]));
  const missing = stored.filter(({ card, printing }) => !known.has(`${card} ${printing}`));
  const all = [...watch.lines, ...missing.map((line) => ({ ...line, state: null }))];
  return alerts.resume(id, accountId, all, publication);
}

type ChangeName = keyof typeof ALERT_CHANGES;

export const ALERT_CHANGE_NAMES = Object.keys(ALERT_CHANGES) as ChangeName[];

const ChangePath = Type.Object({
  ...AlertPath.properties,
  change: Type.Unsafe<ChangeName>({
    type: 'string',
    enum: ALERT_CHANGE_NAMES,
    description: 'A paused alert judges nothing; a resumed one begins like a new one.',
  }),
});

export const changeAlert = defineEndpoint({
  ...OF_CALLER,
  method: 'POST',
  path: '/v1/alerts/:id/:change',
  errors: [
    ...(['ALERT_NOT_FOUND', 'INVALID_BODY', 'PAYLOAD_TOO_LARGE'] as const),
    ...(['UNSUPPORTED_MEDIA_TYPE', 'PLAN_RESTRICTION'] as const),
  ],
  schema: {
    operationId: 'changeAlert',
    summary: 'Pause, resume or delete an alert',
    description: 'Its events are deleted with it.',
    params: ChangePath,
    response: { 200: One(AlertItem) },
  },
  async answer(resources, { params: { id, change } }, history, caller) {
    const alert = await ALERT_CHANGES[change](resources, id, ownerOf(caller), history);
    return { data: alertView(resources.catalog, alert) };
  },
});
