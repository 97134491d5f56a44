import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { onUnauthorized } from '../api/call.ts';
import { type Account, SESSION_PATH, SessionContext, type SessionInfo } from '../api/session.ts';
import { useData } from '../api/use-data.ts';
import { late } from '../ui/late.tsx';
import { Loading } from '../ui/status.tsx';
import { useProof } from './proof.ts';

// Visitors need neither. Accounts have both loaded before they are needed.
const SignInDialog = late('The form', async () => (await import('./sign-in.tsx')).SignInDialog);
const ProofDialog = late('The form', async () => (await import('./proof-dialog.tsx')).ProofDialog);

/** Fetches the session and renders `children` once it is known. */
export function SessionProvider({ children }: { children: ComponentChildren }) {
  const { body, error, refetch } = useData<{ data: SessionInfo }>(SESSION_PATH, {
    refetchOnVisible: true,
  });
  if (!body) return <Loading error={error} />;
  return (
    <LoadedSession info={body.data} refresh={refetch}>
      {children}
    </LoadedSession>
  );
}

interface LoadedSessionProps {
  readonly info: SessionInfo;
  refresh(): void;
  readonly children: ComponentChildren;
}

function LoadedSession({ info, refresh, children }: LoadedSessionProps) {
  const [account, setAccount] = useState(info.account);
  const [signedOutMessage, setMessage] = useState('');
  const dialog = useReauthentication(refresh);
  const proof = useProof(account);
  const latestAccount = useRef(account);
  latestAccount.current = account;

  /** Switches to the account that the server or another tab has signed in. */
  const update = (next: Account | null) => {
    const { current } = latestAccount;
    if (next && current && next.email !== current.email) reloadOnce();
    else if (next || !current) {
      setAccount(next);
      dialog.resolve();
    } else dialog.open();
  };
  const close = (message: string) => {
    setAccount(null);
    setMessage(message);
    dialog.cancel();
    proof.cancel();
  };
  const notifyTabs = useOtherTabs(() => close('You have signed out in another tab.'), refresh);
  const setSignedIn = (next: Account) => {
    setMessage('');
    update(next);
    notifyTabs('signed-in');
    refresh();
  };
  const setSignedOut = (message: string) => {
    close(message);
    notifyTabs('signed-out');
    refresh();
  };
  /** Hides the data of an account whose session has ended. */
  const leave = () => close('Your session has ended.');
  useEffect(() => update(info.account), [info]);
  useEffect(() => {
    if (!account) return undefined;
    const timer = setTimeout(loadDialogs, DIALOGS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [account === null]);

  const clockOffset = useMemo(() => computeClockOffset(info.now), [info]);
  const session = {
    ...info,
    account,
    clockOffset,
    signedOutMessage,
    refresh,
    setSignedIn,
    setSignedOut,
  };
  return (
    <SessionContext.Provider value={session}>
      {children}
      {dialog.isOpen && account && (
        <SignInDialog email={account.email} onSignedIn={setSignedIn} onCancel={leave} />
      )}
      {proof.isOpen && account && (
        <ProofDialog account={account} onProved={proof.confirm} onCancel={proof.cancel} />
      )}
    </SessionContext.Provider>
  );
}

/** Loads the dialogs of accounts after everything that the page needs at once. */
const DIALOGS_AFTER_MS = 10_000;

/**
 * Loads the dialogs of accounts now, because later the server may be unreachable or have newer
 * files.
 */
function loadDialogs(): void {
  void Promise.allSettled([import('./sign-in.tsx'), import('./proof-dialog.tsx')]);
}

let isReloading = false;

/** Reloads the page for another account, which must not see the data of the previous one. */
function reloadOnce(): void {
  if (!isReloading) location.reload();
  isReloading = true;
}

/** Rounds to seconds, so the duration of a request does not shift a correct clock. */
function computeClockOffset(now: string): number {
  return Math.round((Date.parse(now) - Date.now()) / 1000) * 1000;
}

/**
 * Makes calls that get 401 wait while `refresh` finds out who is signed in, because another tab may
 * have signed in again. If nobody is signed in, the calls wait until the reader signs in through a
 * dialog.
 */
function useReauthentication(refresh: () => void) {
  const [isOpen, setOpen] = useState(false);
  const waiting = useRef<((isSignedIn: boolean) => void)[]>([]);
  const end = useCallback((isSignedIn: boolean) => {
    for (const resolve of waiting.current.splice(0)) resolve(isSignedIn);
    setOpen(false);
  }, []);
  useEffect(() => {
    onUnauthorized(() => {
      refresh();
      return new Promise((resolve) => waiting.current.push(resolve));
    });
  }, [refresh]);
  return {
    isOpen,
    open: () => setOpen(true),
    /** Repeats the waiting calls: the account is signed in. */
    resolve: () => end(true),
    /** Rejects the waiting calls. */
    cancel: () => end(false),
  };
}

type TabMessage = 'signed-in' | 'signed-out';

/** Listens to other tabs that sign in or out. Returns a function that notifies them. */
function useOtherTabs(onSignedOut: () => void, onSignedIn: () => void) {
  const handlers = useRef({ onSignedOut, onSignedIn });
  handlers.current = { onSignedOut, onSignedIn };
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const opened = new BroadcastChannel('cardprice');
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      if (data === 'signed-out') handlers.current.onSignedOut();
      else handlers.current.onSignedIn();
    };
    return () => opened.close();
  }, []);
  return (message: TabMessage) => channel.current?.postMessage(message);
}
