import { describe, expect, it } from 'vitest';
import type { MachinePool } from '../api/index.js';
import { poolPhase } from './pool-status.js';

type Status = NonNullable<MachinePool['status']>;

function pool(status: Status, metadata: Partial<MachinePool['metadata']> = {}): MachinePool {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachinePool',
    metadata: { name: 'mp', ...metadata },
    spec: {
      clusterName: 'c',
      replicas: 2,
      template: {
        spec: {
          clusterName: 'c',
          bootstrap: { dataSecretName: 'x' },
          infrastructureRef: { apiGroup: 'g', kind: 'K', name: 'n' },
        },
      },
    },
    status,
  };
}

const ready = (readyReplicas: number): Status => ({
  initialization: { bootstrapDataSecretCreated: true, infrastructureProvisioned: true },
  deprecated: { v1beta1: { readyReplicas } },
});
const managed = { annotations: { 'cluster.x-k8s.io/replicas-managed-by': 'autoscaler' } };

describe('poolPhase', () => {
  const rows: { name: string; given: MachinePool; then: string }[] = [
    { name: 'begins', given: pool({}), then: 'Pending' },
    {
      name: 'has its bootstrap data',
      given: pool({ initialization: { bootstrapDataSecretCreated: true } }),
      then: 'Provisioning',
    },
    {
      name: 'has Nodes before the infrastructure is ready',
      given: pool({ nodeRefs: [{ name: 'a' }], initialization: { bootstrapDataSecretCreated: true } }),
      then: 'Provisioned',
    },
    { name: 'has all replicas', given: pool(ready(2)), then: 'Running' },
    { name: 'has too few replicas', given: pool(ready(1)), then: 'ScalingUp' },
    { name: 'has too many replicas', given: pool(ready(3)), then: 'ScalingDown' },
    {
      name: 'has another number of replicas than an external autoscaler set',
      given: pool(ready(3), managed),
      then: 'Scaling',
    },
    {
      name: 'treats "false" as not managed externally',
      given: pool(ready(3), { annotations: { 'cluster.x-k8s.io/replicas-managed-by': 'false' } }),
      then: 'ScalingDown',
    },
    { name: 'goes', given: pool(ready(2), { deletionTimestamp: '2026-01-01T00:00:00Z' }), then: 'Deleting' },
  ];
  it.each(rows)('$name: $then', ({ given, then }) => {
    expect(poolPhase(given)).toBe(then);
  });
});
