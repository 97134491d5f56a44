import { useEffect, useRef, useState } from 'preact/hooks';
import { onProofRequired, post } from '../api/call.ts';
import type { Account } from '../api/session.ts';

export const PROOF_PATH = '/dashboard/reauthenticate';

/**
 * Makes dangerous calls wait until the reader has confirmed their identity. For an account without
 * a second factor, a password that was entered for the call is enough.
 */
export function useProof(account: Account | null) {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isProved: boolean) => void)[]>([]);
  const latest = useRef(account);
  latest.current = account;
  useEffect(() => {
    onProofRequired(async (password) => {
      if (password !== undefined && latest.current?.secondFactors.length === 0) {
        await post(PROOF_PATH, { password });
        return true;
      }
      setOpen(true);
      return new Promise((resolve) => waiting.current.push(resolve));
    });
  }, []);
  const end = (isProved: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isProved);
    setOpen(false);
  };
  return { isOpen, confirm: () => end(true), cancel: () => end(false) };
}
