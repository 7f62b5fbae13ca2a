import type { Client } from '@slipway/runtime';

/** The cluster that providers run on. */
export interface ManagementCluster {
  readonly client: Client;
  /** That of the context. */
  readonly namespace: string;
}
