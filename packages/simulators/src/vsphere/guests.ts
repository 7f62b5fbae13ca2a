import type { Duplex } from 'node:stream';
import type { Machine, ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, ReconcileContext } from '@slipway/runtime';

/** Port to the in-memory infrastructure that simulates booting machines. That infrastructure does not depend on vSphere. */
export interface SimulatedGuests {
  reserve(
    cluster: ObjectKey,
    endpoint: { readonly host: string; readonly port: number; readonly isBalanced?: boolean },
  ): Promise<{ readonly host?: string; readonly port?: number }>;
  boot(
    booted: {
      readonly machine: Frozen<Machine>;
      readonly cluster: ObservedCluster;
      readonly name: string;
      readonly uid: string;
      readonly address: string;
      readonly providerId: string;
      readonly confirm?: () => Promise<void>;
    },
    context: Pick<ReconcileContext, 'read' | 'clock'>,
  ): Promise<void>;
  accept(cluster: ObjectKey, address: string, connection: Duplex): boolean;
  shutDown(cluster: ObjectKey, name: string): Promise<void>;
  release(cluster: ObjectKey): Promise<void>;
}
