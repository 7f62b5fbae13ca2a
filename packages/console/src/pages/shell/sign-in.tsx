import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { ApiError, type SessionInfo, signIn } from '../connection/api.js';

interface SignInProps {
  readonly problem: string;
  /** Host name of the OpenID Connect issuer, if there is one. */
  readonly issuer: string | undefined;
  readonly onSignedIn: (session: SessionInfo) => void;
}

export function SignIn({ problem, issuer, onSignedIn }: SignInProps): JSX.Element {
  const [token, setToken] = useState('');
  const [error, setError] = useState(problem);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      onSignedIn(await signIn({ token }));
    } catch (failure) {
      setError(
        failure instanceof ApiError ? [failure.message, failure.remedy].filter(Boolean).join(': ') : String(failure),
      );
    }
  };
  return (
    <main class="sign-in" id="main">
      <h1>Sign in to Slipway</h1>
      {issuer !== undefined && (
        <p>
          <a class="primary" href={`/console/oidc/start?to=${encodeURIComponent(currentPage())}`}>
            Sign in with {issuer}
          </a>
        </p>
      )}
      <p>
        Run <code>slipway console</code> in a terminal. It prints a link that signs you in with your kubeconfig. Or
        paste the token of a user or a service account.
      </p>
      <form onSubmit={(event) => void submit(event)}>
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <button type="submit" class="primary">
          Sign in
        </button>
      </form>
      {error !== '' && (
        <p class="problem" role="alert">
          {error}
        </p>
      )}
    </main>
  );
}

/** The page to show after the sign-in. */
function currentPage(): string {
  return window.location.pathname + window.location.search;
}
