import type { Machine, MachinePool } from '@slipway/cluster-api';
import { describe, expect, it } from 'vitest';
import { machineOwner, machinePoolOwner } from './decide-step.js';

const infrastructureRef = { apiGroup: 'g', kind: 'K', name: 'i' };
const spec = { clusterName: 'c', version: 'v1.36.0', bootstrap: { dataSecretName: 'd' }, infrastructureRef };
const machine = (more: Partial<Machine>): Machine => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm' },
  spec,
  ...more,
});
const pool = (replicas: number | undefined, nodes: number): MachinePool => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'MachinePool',
  metadata: { name: 'p', labels: { 'cluster.x-k8s.io/control-plane': '' } },
  spec: { clusterName: 'c', template: { spec }, ...(replicas !== undefined && { replicas }) },
  status: { nodeRefs: Array.from({ length: nodes }, (_, index) => ({ name: `n${index}` })) },
});

describe('owners of configs', () => {
  it('reads a Machine', () => {
    expect(machineOwner(machine({}))).toEqual({
      kind: 'Machine',
      name: 'm',
      clusterName: 'c',
      isControlPlane: false,
      version: 'v1.36.0',
      dataSecretName: 'd',
      hasNodes: false,
    });
    const labels = { 'cluster.x-k8s.io/control-plane': '' };
    expect(
      machineOwner(machine({ metadata: { name: 'm', labels }, status: { nodeRef: { name: 'n' } } })),
    ).toMatchObject({ isControlPlane: true, hasNodes: true });
  });

  it.each([
    [undefined, 0, false],
    [undefined, 1, true],
    [3, 2, false],
    [3, 3, true],
    [0, 0, true],
  ])('reports a pool of %s with %s nodes as full: %s', (replicas, nodes, full) => {
    expect(machinePoolOwner(pool(replicas, nodes))).toMatchObject({
      kind: 'MachinePool',
      isControlPlane: false,
      dataSecretName: 'd',
      hasNodes: full,
    });
  });
});
