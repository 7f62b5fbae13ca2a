import { boolean, defineKind, list, map, object, type ObjectOf, optional, string } from '@slipway/kube/kit';

/** A kind like Machine, of which controllers cache most objects, with objects of about 2 KB. */
export const benchMachineKind = defineKind({
  group: 'bench.slipway.dev',
  kind: 'BenchMachine',
  plural: 'benchmachines',
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1',
      served: true,
      storage: true,
      schema: {
        spec: object({
          clusterName: string(),
          version: string(),
          providerID: optional(string()),
          paused: optional(boolean()),
          nodeLabels: optional(map(string())),
          conditions: optional(
            list(
              object({
                type: string(),
                status: string(),
                reason: string(),
                message: string(),
                lastTransitionTime: string(),
              }),
            ),
          ),
        }),
      },
    },
  ],
});

export type BenchMachine = ObjectOf<typeof benchMachineKind>;

const conditionTypes = [
  'Ready',
  'InfrastructureReady',
  'BootstrapConfigReady',
  'NodeHealthy',
  'Available',
  'UpToDate',
  'Paused',
];

export function benchMachine(index: number): BenchMachine {
  const cluster = `cluster-${index % 100}`;
  return {
    apiVersion: 'bench.slipway.dev/v1',
    kind: 'BenchMachine',
    metadata: {
      name: `${cluster}-machine-${String(index).padStart(5, '0')}`,
      namespace: 'default',
      labels: { 'cluster.x-k8s.io/cluster-name': cluster, 'cluster.x-k8s.io/deployment-name': `${cluster}-workers` },
      finalizers: ['machine.bench.slipway.dev/hold'],
    },
    spec: {
      clusterName: cluster,
      version: 'v1.36.3',
      providerID: `bench://${cluster}/${index}`,
      nodeLabels: { 'node.example.com/pool': `pool-${index % 7}`, 'node.example.com/index': String(index) },
      conditions: conditionTypes.map((type) => ({
        type,
        status: 'True',
        reason: `${type}Reason`,
        message: `condition ${type} of machine ${index} has not changed since the last reconcile`,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
    },
  };
}
