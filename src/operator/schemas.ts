import { type TSchema, Type } from 'typebox';
import { formatMoment, type Millis } from '../domain/day.ts';

/**
 * Parts that many schemas share. A title names the part in messages. Moments are ISO 8601 in UTC,
 * days `YYYY-MM-DD`, amounts dollars.
 */

export const Email = Type.String({
  title: 'The e-mail address',
  minLength: 1,
  maxLength: 254,
  examples: ['ann@shop.example'],
});
export const Count = Type.Integer();
export const Moment = Type.String();
export const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const OptionalNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });
export const OptionalMoment = Type.Unsafe<string | null>({ type: ['string', 'null'] });

export const EmailBody = Type.Object({ email: Email });

/** A payload in its envelope. */
export function Data<Payload extends TSchema>(payload: Payload) {
  return Type.Object({ data: payload });
}

/** A payload without members. */
export const EmptyView = Type.Object({});

/** A moment in the form of a view. */
export function moment(at: Millis | null): string | null {
  return at === null ? null : formatMoment(at);
}
