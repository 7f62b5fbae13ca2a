import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, knownIssuer, postJson, readSession, type SessionInfo, signIn } from '../connection/api.js';
import { suspended, useConnection, whenSessionEnds } from '../connection/connection-state.js';
import { ClusterPage } from '../cluster/cluster-page.js';
import { FleetPage } from '../fleet/fleet-page.js';
import { InfrastructurePage } from '../infrastructure/infrastructure-page.js';
import { PlanPage } from '../plan/plan-page.js';
import { clockTime } from '../parts/text.js';
import { Link, pathTo, useLocation } from './router.js';
import { SessionContext } from './session-context.js';
import { SignIn } from './sign-in.js';
import { ThemeButton } from './theme.js';

export function App(): JSX.Element {
  const [session, setSession] = useState<SessionInfo | undefined>();
  const [problem, setProblem] = useState('');
  const signedOut = (): void => setSession({ user: null });
  useEffect(() => {
    whenSessionEnds(signedOut);
    openSession().then(setSession, (error: unknown) => {
      setProblem(error instanceof ApiError ? [error.message, error.remedy].filter(Boolean).join(': ') : String(error));
      signedOut();
    });
  }, []);
  if (session === undefined) return <main id="main" aria-busy="true" />;
  if (session.user === null) return <SignIn problem={problem} issuer={knownIssuer()} onSignedIn={setSession} />;
  return (
    <SessionContext.Provider value={session}>
      <Head user={session.user} onSignOut={signedOut} />
      <Lost />
      <Page />
    </SessionContext.Provider>
  );
}

/**
 * Opens a session. A link printed by `slipway console` contains a single-use sign-in code in the fragment. The code is removed
 * only after the response: a page that is reloaded before that would have neither the code nor a session.
 */
async function openSession(): Promise<SessionInfo> {
  const failure = /^#sign-in-failed=(\w+)$/.exec(window.location.hash)?.[1];
  if (failure !== undefined) {
    forgetFragment();
    const session = await readSession();
    if (session.user !== null) return session;
    throw new ApiError(0, signInFailures.get(failure) ?? failure, '');
  }
  const code = /^#code=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (code === undefined) return readSession();
  try {
    return await signIn({ code });
  } catch (error) {
    // A used link in a browser with a valid session is not an error.
    const session = await readSession();
    if (session.user === null) throw error;
    return session;
  } finally {
    forgetFragment();
  }
}

/** Messages of the failures that the server reports in the fragment after a sign-in with OpenID Connect. */
const signInFailures: ReadonlyMap<string, string> = new Map([
  ['denied', 'The issuer denied the sign-in.'],
  ['expired', 'The sign-in took too long or was started in another browser. Sign in again.'],
  ['refused', 'The management cluster does not accept this account. The log of the management plane has the reason.'],
  ['unavailable', 'Signing in is not possible at the moment. The log of the management plane has the reason.'],
]);

function forgetFragment(): void {
  window.history.replaceState(null, '', window.location.pathname + window.location.search);
}

const sections = [
  { name: 'Fleet', path: '' },
  { name: 'Plan', path: 'plan' },
  { name: 'Infrastructure', path: 'infrastructure' },
] as const;

function Head({ user, onSignOut }: { readonly user: string; readonly onSignOut: () => void }): JSX.Element {
  const [first = ''] = useLocation().steps;
  const open = first === 'clusters' ? '' : first;
  return (
    <header class="head">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <Link to={pathTo()} class="brand" label="Slipway">
        <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
          <path d="M1 13h18l-3 4H4z" fill="currentColor" />
          <path d="M9 2v9H3zM11 4v7h5z" fill="currentColor" opacity=".65" />
        </svg>
        <span class="only-wide">Slipway</span>
      </Link>
      <nav aria-label="Main">
        {sections.map(({ name, path }) => (
          <Link
            key={path}
            to={pathTo(...(path === '' ? [] : [path]))}
            aria-current={open === path ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Live />
      <ThemeButton />
      <button
        type="button"
        class="quiet"
        title={`Sign out ${user}`}
        onClick={() => void postJson('sign-out', {}).finally(onSignOut)}
      >
        <span class="only-wide user">{user}</span>
        <svg class="only-narrow" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
          <path d="M6 2H2v12h4M7 8h7m-3-3 3 3-3 3" fill="none" stroke="currentColor" stroke-width="1.6" />
        </svg>
        <span class="hidden">sign out</span>
      </button>
    </header>
  );
}

function Live(): JSX.Element {
  const { lost } = useConnection();
  return (
    <span class={lost === '' ? 'live' : 'live off'} role="status">
      <i aria-hidden="true" />
      {lost === '' ? 'Live' : lost === suspended ? 'Loading…' : 'Not live'}
    </span>
  );
}

function Lost(): JSX.Element | null {
  const { lost, since } = useConnection();
  if (lost === '' || lost === suspended) return null;
  return (
    <div class="lost" role="alert">
      <strong>The data was last updated at {clockTime(since)} and may be outdated.</strong> {lost} Reconnecting…
    </div>
  );
}

function Route(): JSX.Element {
  const [first = '', ...rest] = useLocation().steps;
  const [namespace, name, tab = ''] = rest;
  if (first === 'clusters' && namespace !== undefined && name !== undefined)
    return <ClusterPage key={`${namespace}/${name}`} namespace={namespace} name={name} tab={tab} />;
  if (first === 'plan') return <PlanPage />;
  if (first === 'infrastructure') return <InfrastructurePage />;
  return <FleetPage />;
}

/** Returns the page title, which tabs, the history and screen readers show. */
function titleOf([first = '', namespace, name]: readonly string[]): string {
  if (first === 'clusters' && name !== undefined) return `${name} in ${namespace} – Slipway`;
  return `${sections.find(({ path }) => path === first)?.name ?? 'Fleet'} – Slipway`;
}

function Page(): JSX.Element {
  const { lost } = useConnection();
  const title = titleOf(useLocation().steps);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class={lost === '' ? 'page' : 'page stale'}>
      <Route />
    </div>
  );
}
