/** The signed-in user. */
export interface SessionInfo {
  readonly user: string | null;
  readonly csrf?: string;
  /** Host name of the OpenID Connect issuer at which users can sign in. */
  readonly issuer?: string;
  /** False if the console is read-only for this user. */
  readonly mayAct?: boolean;
}

/** An error response of the console. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

let csrf = '';
let issuer: string | undefined;

/** Returns the host name of the OpenID Connect issuer at which users can sign in. */
export function knownIssuer(): string | undefined {
  return issuer;
}

export async function readSession(): Promise<SessionInfo> {
  return remember(await getJson<SessionInfo>('session'));
}

export async function signIn(credential: { readonly code: string } | { readonly token: string }): Promise<SessionInfo> {
  return remember(await postJson<SessionInfo>('sign-in', credential));
}

export function getJson<T>(path: string): Promise<T> {
  return answer<T>(fetch(`/console/api/${path}`, { headers: { accept: 'application/json' } }));
}

export function postJson<T>(path: string, body: object): Promise<T> {
  return answer<T>(
    fetch(`/console/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
      body: JSON.stringify(body),
    }),
  );
}

function remember(session: SessionInfo): SessionInfo {
  csrf = session.csrf ?? '';
  ({ issuer } = session);
  return session;
}

async function answer<T>(request: Promise<Response>): Promise<T> {
  const response = await request.catch(() => {
    throw new ApiError(0, 'The console does not respond.', 'Check that it is still running.');
  });
  const value: unknown = await response.json().catch(() => ({}));
  if (response.ok) return value as T;
  const { error = response.statusText, remedy = '' } = value as { error?: string; remedy?: string };
  throw new ApiError(response.status, error, remedy);
}
