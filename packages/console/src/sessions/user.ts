import type { Client } from '@slipway/runtime';

/** A signed-in user. The client uses the user's own credentials, so that the API server authorizes every request. */
export interface User {
  readonly name: string;
  readonly client: Client;
  close(): void;
}

/** Authenticates users. Returns undefined for invalid credentials. */
export interface Authenticator {
  authenticateToken(token: string): Promise<User | undefined>;
  /** Authenticates a client certificate from the TLS connection, in DER. The certificate is not verified yet. */
  authenticateCertificate?(certificate: Uint8Array): Promise<User | undefined>;
}
