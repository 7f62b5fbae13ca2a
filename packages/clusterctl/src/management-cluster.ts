import type { Client } from '@slipway/runtime';

/** The cluster that providers run on. */
export interface ManagementCluster {
  readonly client: Client;
  /** Namespace of the kubeconfig context. */
  readonly namespace: string;
}
