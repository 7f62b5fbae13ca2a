/** Objects that are written and read. They have the size and shape of Cluster API's kinds. */
export const group = 'bench.slipway.dev';

const text = { type: 'string' } as const;
const condition = {
  type: 'object',
  required: ['type', 'status', 'lastTransitionTime', 'reason', 'message'],
  properties: {
    type: { type: 'string', maxLength: 316 },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    reason: { type: 'string', maxLength: 1024, minLength: 1, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
    message: { type: 'string', maxLength: 32768 },
  },
} as const;
const deployment = {
  type: 'object',
  required: ['class', 'name'],
  properties: {
    class: { type: 'string', minLength: 1, maxLength: 256 },
    name: { type: 'string', minLength: 1, maxLength: 63, pattern: '^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$' },
    replicas: { type: 'integer', format: 'int32', default: 1 },
    failureDomain: text,
    metadata: {
      type: 'object',
      properties: {
        labels: { type: 'object', additionalProperties: text },
        annotations: { type: 'object', additionalProperties: text },
      },
    },
    strategy: {
      type: 'object',
      default: {},
      properties: {
        type: { type: 'string', enum: ['RollingUpdate', 'OnDelete'], default: 'RollingUpdate' },
        maxUnavailable: { 'x-kubernetes-int-or-string': true, default: 0 },
        maxSurge: { 'x-kubernetes-int-or-string': true, default: 1 },
      },
    },
  },
} as const;
const spec = {
  type: 'object',
  required: ['topology'],
  'x-kubernetes-validations': [
    {
      rule: 'self.topology.workers.all(w, w.replicas <= self.workersMax)',
      message: 'a group of workers is larger than workersMax',
    },
  ],
  properties: {
    paused: { type: 'boolean', default: false },
    workersMax: { type: 'integer', format: 'int32', default: 1000 },
    controlPlaneEndpoint: {
      type: 'object',
      properties: { host: text, port: { type: 'integer', format: 'int32', default: 6443 } },
    },
    network: {
      type: 'object',
      properties: {
        serviceDomain: { type: 'string', default: 'cluster.local' },
        pods: { type: 'array', items: text },
        services: { type: 'array', items: text },
      },
    },
    topology: {
      type: 'object',
      required: ['class', 'version'],
      properties: {
        class: text,
        version: { type: 'string', pattern: '^v[0-9]+\\.[0-9]+\\.[0-9]+$' },
        replicas: { type: 'integer', format: 'int32', minimum: 0 },
        workers: {
          type: 'array',
          maxItems: 100,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: deployment,
        },
        variables: {
          type: 'array',
          maxItems: 1000,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name', 'value'],
            properties: { name: text, value: { 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    },
  },
} as const;

export const customResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `fleets.${group}` },
  spec: {
    group,
    names: { plural: 'fleets', singular: 'fleet', kind: 'Fleet', listKind: 'FleetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Version', type: 'string', jsonPath: '.spec.topology.version' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec,
              status: {
                type: 'object',
                properties: {
                  phase: text,
                  conditions: {
                    type: 'array',
                    'x-kubernetes-list-type': 'map',
                    'x-kubernetes-list-map-keys': ['type'],
                    items: condition,
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
} as const;

const workerGroups = ['general', 'memory', 'accelerated', 'edge'];

/** Returns a custom resource of 2.8 KB as JSON (2.1 KB with two variables). The load generator fills in `{n}` in its name. */
export function fleetBody(variables = 5): string {
  return JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'Fleet',
    metadata: {
      name: 'fleet-{n}',
      labels: { 'cluster.x-k8s.io/cluster-name': 'fleet', environment: 'production', team: 'platform' },
      annotations: { 'example.com/owner': 'platform-team@example.com', 'example.com/ticket': 'PLAT-48213' },
    },
    spec: {
      controlPlaneEndpoint: { host: '10.120.44.17' },
      network: { pods: ['192.168.0.0/16', 'fd00:100:64::/48'], services: ['10.128.0.0/12', 'fd00:100:96::/112'] },
      topology: {
        class: 'quick-start',
        version: 'v1.33.1',
        replicas: 3,
        workers: workerGroups.map((name, index) => ({
          class: 'default-worker',
          name: `workers-${name}`,
          replicas: 3 + index,
          failureDomain: `zone-${index}`,
          metadata: {
            labels: { 'node.example.com/pool': name, 'node.example.com/tier': 'workload', zone: `zone-${index}` },
            annotations: { 'example.com/reserved': 'cpu=500m,memory=1Gi', 'example.com/drain-timeout': '600s' },
          },
        })),
        variables: Array.from({ length: variables }, (_, index) => ({
          name: `variable${index}`,
          value: {
            folder: '/datacenter/vm/production/clusters',
            datastore: `vsan-datastore-${index}`,
            network: 'segment-production-east',
            memoryMiB: 16_384,
            cpus: 8,
            tags: ['urn:vmomi:InventoryServiceTag:9a6f1b2c', 'backup-daily'],
          },
        })),
      },
    },
  });
}

export const fleets = `/apis/${group}/v1/namespaces/bench/fleets`;
export const configMaps = '/api/v1/namespaces/bench/configmaps';

/** Returns a ConfigMap of about 1 KB. */
export function configMapBody(name: string): string {
  const data: Record<string, string> = {};
  for (let index = 0; index < 10; index += 1) data[`setting-${index}`] = `value ${index} `.repeat(8);
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
}
