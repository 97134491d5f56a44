import type { RunRecord } from '../record.ts';
import * as availability from './availability.ts';
import * as chain from './chain.ts';
import * as keys from './keys.ts';
import * as messages from './messages.ts';
import * as publications from './publications.ts';
import * as quota from './quota.ts';

/** An assertion over the record of a run. */
export interface Check {
  readonly promise: string;
  /** Whether it promises something within a time: a busy machine may break it. */
  readonly isTimed: boolean;
  /** One sentence for each violation; none if the promise is kept. */
  violations(record: RunRecord): string[];
}

const check = (promise: string, violations: Check['violations'], isTimed = false): Check => ({
  promise,
  isTimed,
  violations,
});
const timed = (promise: string, violations: Check['violations']) =>
  check(promise, violations, true);

/** Everything that a run has to keep. */
export const CHECKS: readonly Check[] = [
  check('usage is the charged answers, and at most those of unknown fate', quota.usageIsExact),
  check('no account gets more than its plan has', quota.quotasHold),
  check('what is left of a quota never rises', quota.remainingNeverRises),
  check('each charge counts once', quota.eachChargeCounts),
  check('a charge is of its day', quota.chargesAreOfTheirDay),
  check('only used-up quotas are refused', quota.refusedOnlyWhenUsedUp),
  check('no acknowledged key is lost', keys.noKeyIsLost),
  check('no acknowledged revocation is lost', keys.noRevocationIsLost),
  check('keys work until they are revoked', keys.keysWork),
  check('revoked keys are refused', keys.revokedKeysAreRefused),
  check('no acknowledged publication is lost', chain.publicationsAreKept),
  check('publications follow each other', chain.publicationsAreAChain),
  check('webhooks get every publication that is served', messages.publicationsAreAnnounced),
  check('an event never changes', messages.eventsNeverChange),
  check('all nodes end with the last publication', publications.lastIsServed),
  check('every body is one publication, whole', publications.bodiesAreWhole),
  check('only what was published is shown', publications.bodiesWerePublished),
  check('no node goes back to an earlier publication', publications.nodesGoForward),
  check('no history is older than its node', publications.historiesKeepUp),
  timed('all nodes agree soon after healing', publications.nodesAgree),
  check('ids never change', publications.idsNeverChange),
  check('failures are 503 with Retry-After', availability.failuresAskToRetry),
  check('nothing that is right is refused', availability.nothingElseIsAnswered),
  timed('nothing fails without a fault', availability.nothingFailsByItself),
  timed('every request gets an answer', availability.everyoneIsAnswered),
  timed('the cluster is whole again after each fault', availability.everythingIsHealed),
  timed('a lost primary is replaced, and no other', availability.primariesAreReplaced),
  timed('charging comes back in time', availability.chargingComesBack),
  timed('operators are answered again in time', availability.operatorsComeBack),
  timed('charged reads go on where the primary stays', availability.chargedReadsGoOn),
  timed('harmless faults fail nothing', availability.harmlessFaultsFailNothing),
  timed('nobody waits for more than 3 s beyond a fault', availability.nobodyWaitsLong),
  timed('what needs no database goes on', availability.openPagesGoOn),
];
