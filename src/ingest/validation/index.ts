/**
 * Keeps implausible prices from being served, because a missing price is better than a wrong one
 * (docs/glossary.md#quarantine). The rules are in `rules/`, one per file; docs/pricing.md has their
 * measurements.
 */
export { agree, hasAmounts, joinAmounts } from './amounts.ts';
export { settleDelistings } from './delistings.ts';
export { FeedSurvey } from './feed-survey.ts';
export { DEFAULT_LIMITS, type ValidationLimits } from './limits.ts';
export { type ExternalIdOwner, SharedExternalIds } from './rules/shared-external-id.ts';
export { givesCatalogue } from './rules/unknown-printing.ts';
export { validate } from './validate.ts';
