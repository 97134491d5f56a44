import type { Static } from 'typebox';
import type {
  DeletionView,
  KeyView,
  NewKeyView,
  UsageView,
} from '../../../src/dashboard/schemas.ts';

/** The bodies of the dashboard's responses about the signed-in account. */

export type ApiKey = Static<typeof KeyView>;
/** An API key that was just created or regenerated, with its secret. */
export type NewApiKey = Static<typeof NewKeyView>;
export type Deletion = Static<typeof DeletionView>;
export type Usage = Static<typeof UsageView>;
export type UsageDay = Usage['days'][number];
