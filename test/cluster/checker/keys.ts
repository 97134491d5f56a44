import { MAX_ENDED_KEYS } from '../../../src/accounts/keys/account-keys.ts';
import type { Answer, KeyLife, RunRecord } from '../record.ts';

/** Promises about API keys. */

/**
 * Each key whose making was acknowledged is still in the database, under its id and account, except
 * revoked ones of an account that has as many as it keeps.
 */
export function noKeyIsLost({ keys, endKeys }: RunRecord): string[] {
  const kept = new Map(endKeys.map((key) => [key.id, key]));
  const revoked = Map.groupBy(
    endKeys.filter(({ isRevoked }) => isRevoked),
    ({ account }) => account,
  );
  return keys.flatMap(({ id, account, hash, made, revoked: revocation }) => {
    const atEnd = kept.get(id);
    if (made.acknowledged === null) return [];
    const isFull = (revoked.get(account)?.length ?? 0) >= MAX_ENDED_KEYS;
    if (!atEnd && revocation !== null && isFull) return [];
    if (!atEnd) return [`the key ${id} of ${account} was made, and is lost`];
    if (atEnd.hash === hash && atEnd.account === account) return [];
    return [`the key ${id} of ${account} was made, and its id is of a key of ${atEnd.account}`];
  });
}

/** Each key whose revocation was acknowledged is still revoked, and no other is. */
export function noRevocationIsLost({ keys, endKeys }: RunRecord): string[] {
  const atEnd = new Map(endKeys.map(({ id, isRevoked }) => [id, isRevoked]));
  return keys.flatMap(({ id, account, revoked }) => {
    const isRevoked = atEnd.get(id);
    if (revoked?.acknowledged != null && isRevoked === false) {
      return [`the key ${id} of ${account} was revoked, and works again`];
    }
    if (revoked === null && isRevoked) {
      return [`the key ${id} of ${account} is revoked, and nobody asked for it`];
    }
    return [];
  });
}

/** A key works from its acknowledgement on, until somebody asks to revoke it. */
export function keysWork(record: RunRecord): string[] {
  return eachAnswerOfKey(record, ({ made, revoked }, { id, account, ...answer }) => {
    const wasMade = made.acknowledged !== null && made.acknowledged <= answer.sent;
    const isLeft = revoked === null || answer.received < revoked.sent;
    if (answer.status !== 401 || !wasMade || !isLeft) return undefined;
    return `${id} of ${account} is a 401 with the key ${answer.key}, which nobody had revoked`;
  });
}

/** A request that is sent after the acknowledgement of a revocation is refused. */
export function revokedKeysAreRefused(record: RunRecord): string[] {
  return eachAnswerOfKey(record, ({ revoked }, { id, status, sent, account, key }) => {
    const isOver = revoked?.acknowledged != null && revoked.acknowledged <= sent;
    if (!isOver || status === null || status === 401 || status >= 500) return undefined;
    return `${id} of ${account} is a ${status} with the key ${key}, which had been revoked`;
  });
}

/** What `judge` objects to, of all answers with each key. */
function eachAnswerOfKey(
  { keys, answers }: RunRecord,
  judge: (life: KeyLife, answer: Answer) => string | undefined,
): string[] {
  const byId = new Map(keys.map((life) => [life.id, life]));
  return answers.flatMap((answer) => {
    const life = byId.get(answer.key);
    return (life && judge(life, answer)) ?? [];
  });
}
