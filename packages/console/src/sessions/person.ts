import type { Client } from '@slipway/runtime';

/** A signed-in user with a client that uses the user's credentials: the API server authorizes every request. */
export interface Person {
  readonly name: string;
  readonly client: Client;
  close(): void;
}

/** How people are known. Undefined for who is not. */
export interface Doorkeeper {
  byToken(token: string): Promise<Person | undefined>;
  /** In DER, as the connection brought it; not verified. */
  byCertificate?(certificate: Uint8Array): Promise<Person | undefined>;
}
