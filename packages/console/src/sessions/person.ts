import type { Client } from '@slipway/runtime';

/** Somebody who is known, and the way to the management cluster as him: what he may see and do, the server there decides. */
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
