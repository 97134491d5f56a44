import { Type } from 'typebox';
import {
  AlertBody,
  AlertEventItem,
  AlertItem,
  AlertPreview,
  Mail,
} from '../../http/alert-schemas.ts';
import { Many } from '../../http/schemas.ts';
import { readDraft } from '../../http/v1/alert-draft.ts';
import { previewOf } from '../../http/v1/alert-preview.ts';
import { alertView, eventView } from '../../http/v1/alert-view.ts';
import { ALERT_CHANGE_NAMES, ALERT_CHANGES, detailOf, prepareAlert } from '../../http/v1/alerts.ts';
import { PlanHistory } from '../../http/v1/endpoint.ts';
import { Data } from '../../operator/schemas.ts';
import { type AnyRoute, defineRoute, type Services } from '../route.ts';

const AlertParameter = Type.Object({ id: Type.String() });
const EventsQuery = Type.Object({ alert: Type.Optional(Type.String()) });
const MailBody = Type.Object({ mail: Mail });

/** The most events that a page lists. */
const LISTED_EVENTS = 200;

/** The log of the account contains fired alerts; the list of alerts contains their rules. */
const OWN = { none: 'the list of alerts has it' };

type Owner = ConstructorParameters<typeof PlanHistory>[1] & { readonly accountId: number };

/** The history that the pages show on the plan of an account. */
function historyOf({ resources }: Services, session: Owner): PlanHistory {
  return new PlanHistory(resources, session, true);
}

/** The alerts of the user's own account. Alerts of other accounts are treated as unknown. */
export const ALERT_ROUTES: readonly AnyRoute[] = [
  defineRoute({
    method: 'GET',
    path: '/alerts',
    access: 'account',
    audit: null,
    schema: { response: { 200: Many(AlertItem, 'The alerts, newest first.') } },
    async handle({ alerts, resources: { catalog } }, { session: { accountId } }) {
      const list = await alerts.list(accountId);
      return { data: list.map((alert) => alertView(catalog, alert)) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/alerts',
    creates: true,
    access: 'account',
    audit: OWN,
    schema: { body: AlertBody, response: { 201: Data(AlertItem) } },
    status: 201,
    prepare(services, { body, session }) {
      return prepareAlert(services.resources, body, historyOf(services, session), session);
    },
    async handle({ alerts, resources: { catalog } }, _call, create) {
      return { data: alertView(catalog, await create(alerts)) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/alerts/preview',
    access: 'account',
    audit: { none: 'it saves nothing' },
    schema: { body: AlertBody, response: { 200: Data(AlertPreview) } },
    async handle(services, { body, session }) {
      const { catalog } = services.resources;
      const draft = readDraft(catalog, body);
      return { data: await previewOf(catalog, draft, historyOf(services, session)) };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/alerts/events',
    access: 'account',
    audit: null,
    schema: {
      querystring: EventsQuery,
      response: { 200: Many(AlertEventItem, 'What the alerts have fired, newest first.') },
    },
    async handle({ alerts, resources: { catalog } }, { query, session: { accountId } }) {
      const events = await alerts.events(accountId, { ...query, limit: LISTED_EVENTS });
      return { data: events.map((event) => eventView(catalog, event)) };
    },
  }),

  defineRoute({
    method: 'GET',
    path: '/alerts/:id',
    access: 'account',
    audit: null,
    schema: { params: AlertParameter, response: { 200: Data(AlertItem) } },
    async handle({ alerts, resources: { catalog } }, { params: { id }, session: { accountId } }) {
      return { data: await detailOf({ alerts, catalog }, id, accountId) };
    },
  }),

  defineRoute({
    method: 'POST',
    path: '/alerts/:id/mail',
    access: 'account',
    audit: OWN,
    schema: { params: AlertParameter, body: MailBody, response: { 200: Data(AlertItem) } },
    async handle({ alerts, resources: { catalog } }, { params, body, session }) {
      const changed = await alerts.setMail(params.id, session.accountId, body.mail);
      return { data: alertView(catalog, changed) };
    },
  }),

  ...ALERT_CHANGE_NAMES.map(change),
];

/** Creates the call that changes one alert. */
function change(name: keyof typeof ALERT_CHANGES): AnyRoute {
  return defineRoute({
    method: 'POST',
    path: `/alerts/:id/${name}`,
    access: 'account',
    audit: OWN,
    schema: { params: AlertParameter, response: { 200: Data(AlertItem) } },
    async handle(services, { params: { id }, session }) {
      const { alerts, resources, clock } = services;
      const { catalog } = resources;
      const history = historyOf(services, session);
      const alert = await ALERT_CHANGES[name]({ alerts, catalog, clock }, id, session, history);
      return { data: alertView(catalog, alert) };
    },
  });
}
