import type { UserInfo } from './user.js';

/** What authentication may look at. Header names are lower case. */
export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The client certificate in DER, if the TLS layer received one; not verified yet. */
  readonly clientCertificate?: Uint8Array;
}

export interface Authenticator {
  /** The user behind the credentials, or undefined when there are none. Invalid credentials throw `unauthorized()`. */
  authenticate(credentials: Credentials): Promise<UserInfo | undefined>;
}
