import { type BuiltinObject, namespacedResource } from './define.js';

export type Lease = BuiltinObject<
  'coordination.k8s.io/v1',
  'Lease',
  {
    spec?: {
      holderIdentity?: string | null;
      leaseDurationSeconds?: number;
      acquireTime?: string | null;
      renewTime?: string | null;
      leaseTransitions?: number;
      preferredHolder?: string;
      strategy?: string;
    };
  }
>;
export const leases = namespacedResource<Lease>('coordination.k8s.io', 'v1', 'Lease', 'leases');
