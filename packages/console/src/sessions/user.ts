import type { Client } from '@slipway/runtime';

/** A signed-in user with a client that uses the user's credentials: the API server authorizes every request. */
export interface User {
  readonly name: string;
  readonly client: Client;
  close(): void;
}

/** Authenticates users. Returns undefined for invalid credentials. */
export interface Authenticator {
  authenticateToken(token: string): Promise<User | undefined>;
  /** The certificate is DER from the TLS connection and not verified yet. */
  authenticateCertificate?(certificate: Uint8Array): Promise<User | undefined>;
}
