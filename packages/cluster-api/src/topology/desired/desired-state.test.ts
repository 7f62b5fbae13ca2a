import { seededRandom } from '@slipway/base';
import { asJson, type JsonValue, type KubeObject, stringifyYaml } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import {
  blueprintFixture,
  controlPlaneFixture,
  deploymentFixture,
  emptyState,
  templateFixture,
  type TopologyFixture,
} from '../../testing/topology-objects.js';
import { fieldAt } from '../json-fields.js';
import type { CurrentState, DesiredState } from '../topology-state.js';
import { computeDesiredState } from './desired-state.js';

const versions = { controlPlane: 'v1.35.0', machineDeployments: new Map(), machinePools: new Map() };

function desired(fixture: TopologyFixture = {}, current: CurrentState = emptyState(fixture)): DesiredState {
  return computeDesiredState(blueprintFixture(fixture), current, versions, seededRandom(1));
}

const spec = (object: KubeObject | undefined, ...path: string[]): unknown =>
  object === undefined ? undefined : fieldAt(asJson(object), ['spec', ...path]);

describe('the desired state of a topology', () => {
  it('contains all objects, with generated names for new ones', async () => {
    const state = desired();
    const shown = {
      ...state,
      machineDeployments: Object.fromEntries(state.machineDeployments),
      machinePools: Object.fromEntries(state.machinePools),
    };
    await expect(stringifyYaml(shown as unknown as JsonValue)).toMatchFileSnapshot('testdata/desired-state.yaml');
  });

  it('keeps the names of existing objects', () => {
    const fixture: TopologyFixture = {
      clusterSpec: {
        infrastructureRef: { apiGroup: 'infrastructure.example.com', kind: 'Infra', name: 'the-infra' },
        controlPlaneRef: { apiGroup: 'controlplane.example.com', kind: 'Control', name: 'the-control' },
      },
    };
    const current: CurrentState = {
      ...emptyState(fixture),
      controlPlane: {
        object: controlPlaneFixture('v1.35.0'),
        machineInfrastructure: templateFixture('infrastructure.example.com/v1', 'VMTemplate', 'the-template'),
      },
      machineDeployments: new Map([['md', deploymentFixture('md', 'v1.35.0')]]),
    };
    const state = desired(fixture, current);
    expect(state.infrastructureCluster.metadata.name).toBe('the-infra');
    expect(state.controlPlane.object.metadata.name).toBe('the-control');
    expect(state.controlPlane.machineInfrastructure?.metadata.name).toBe('the-template');
    expect(spec(state.controlPlane.object, 'machineTemplate', 'spec', 'infrastructureRef', 'name')).toBe(
      'the-template',
    );
    const deployment = state.machineDeployments.get('md');
    expect(deployment?.object.metadata.name).toBe('c-md');
    expect(deployment?.object.spec.template.spec.infrastructureRef.name).toBe('c-md-vm');
  });

  it('names objects by the naming templates of the class, and truncates long names', () => {
    const state = desired({
      classSpec: {
        infrastructure: {
          templateRef: { apiVersion: 'infrastructure.example.com/v1', kind: 'InfraTemplate', name: 'infra' },
          naming: { template: '{{ .cluster.name }}-infra' },
        },
      },
      controlPlaneClass: { naming: { template: `{{ .cluster.name }}-${'x'.repeat(80)}` } },
      workerClass: { naming: { template: '{{ .machineDeployment.topologyName }}-{{ .cluster.name }}-{{ .random }}' } },
      topology: { workers: { machineDeployments: [{ name: 'md', class: 'worker' }] } },
    });
    expect(state.infrastructureCluster.metadata.name).toBe('c-infra');
    expect(state.controlPlane.object.metadata.name).toMatch(/^c-x{56}[a-z0-9]{5}$/);
    expect(state.machineDeployments.get('md')?.object.metadata.name).toMatch(/^md-c-[a-z0-9]{5}$/);
  });

  it('omits replicas that the topology omits: an autoscaler sets them', () => {
    const state = desired({
      topology: { controlPlane: {}, workers: { machineDeployments: [{ name: 'md', class: 'worker' }] } },
    });
    expect(spec(state.controlPlane.object, 'replicas')).toBeUndefined();
    expect(state.machineDeployments.get('md')?.object.spec).not.toHaveProperty('replicas');
  });

  it('has no machine template if the class has none for the control plane', () => {
    const state = desired({
      controlPlaneClass: {
        machineInfrastructure: undefined,
        healthCheck: { checks: { nodeStartupTimeoutSeconds: 60 } },
      },
    });
    expect(state.controlPlane).not.toHaveProperty('machineInfrastructure');
    expect(state.controlPlane).not.toHaveProperty('healthCheck');
    expect(spec(state.controlPlane.object, 'machineTemplate')).toBeUndefined();
  });

  it("uses the field paths of the control plane's contract [14.4]", () => {
    const { controlPlane } = desired({
      contract: 'v1beta1',
      topology: {
        controlPlane: {
          replicas: 1,
          deletion: { nodeDrainTimeoutSeconds: 90 },
          rollout: { after: '2026-01-01T00:00:00Z' },
          readinessGates: [{ conditionType: 'Mine' }],
        },
      },
    });
    expect(spec(controlPlane.object)).toMatchObject({
      rolloutAfter: '2026-01-01T00:00:00Z',
      machineTemplate: {
        nodeDrainTimeout: '1m30s',
        readinessGates: [{ conditionType: 'Mine' }],
        infrastructureRef: {
          apiVersion: 'infrastructure.example.com/v1',
          kind: 'VMTemplate',
          namespace: 'default',
        },
      },
    });
  });

  it('keeps the version that a v1beta1 control plane raised in its reference', () => {
    const fixture: TopologyFixture = { contract: 'v1beta1' };
    const object = {
      ...controlPlaneFixture('v1.35.0'),
      spec: {
        version: 'v1.35.0',
        machineTemplate: {
          infrastructureRef: { apiVersion: 'infrastructure.example.com/v2', kind: 'VMTemplate', name: 'x' },
        },
      },
    };
    const state = desired(fixture, { ...emptyState(fixture), controlPlane: { object } });
    expect(spec(state.controlPlane.object, 'machineTemplate', 'infrastructureRef', 'apiVersion')).toBe(
      'infrastructure.example.com/v2',
    );
  });

  it('carries the reference to the shim until the Cluster owns the objects', () => {
    const shim = { apiVersion: 'v1', kind: 'Secret', name: 'c-shim', uid: 'shim' };
    const owned = { ...controlPlaneFixture('v1.35.0') };
    const object = { ...owned, metadata: { ...owned.metadata, ownerReferences: [shim] } };
    const state = desired({}, { ...emptyState(), controlPlane: { object }, infrastructureCluster: object });
    expect(state.controlPlane.object.metadata.ownerReferences).toEqual([shim]);
    expect(state.infrastructureCluster.metadata.ownerReferences).toEqual([shim]);
    expect(desired().controlPlane.object.metadata.ownerReferences).toBeUndefined();
  });

  it("drops annotations of the class's templates [14.46]", () => {
    const blueprint = blueprintFixture();
    const template = blueprint.controlPlane.machineInfrastructure;
    const annotations = {
      'cluster.x-k8s.io/conversion-data': '{}',
      'kubectl.kubernetes.io/last-applied-configuration': '{}',
      kept: 'yes',
    };
    const annotated = template && { ...template, metadata: { ...template.metadata, annotations } };
    const controlPlane = { ...blueprint.controlPlane, ...(annotated && { machineInfrastructure: annotated }) };
    const state = computeDesiredState({ ...blueprint, controlPlane }, emptyState(), versions, seededRandom(1));
    expect(Object.keys(state.controlPlane.machineInfrastructure?.metadata.annotations ?? {}).sort()).toEqual([
      'cluster.x-k8s.io/cloned-from-groupkind',
      'cluster.x-k8s.io/cloned-from-name',
      'kept',
    ]);
  });

  it('reports a missing worker class', () => {
    const fixture: TopologyFixture = {
      topology: { workers: { machineDeployments: [{ name: 'md', class: 'nobody' }] } },
    };
    expect(() => desired(fixture)).toThrow('MachineDeployment class nobody not found in ClusterClass classes/classy');
  });
});

describe('precedence of the topology over the class', () => {
  const fixture: TopologyFixture = {
    workerClass: {
      metadata: { labels: { a: 'class', b: 'class' }, annotations: { x: 'class' } },
      deletion: { nodeDrainTimeoutSeconds: 1, nodeDeletionTimeoutSeconds: 2, order: 'Oldest' },
      minReadySeconds: 5,
      failureDomain: 'one',
      rollout: { strategy: { type: 'OnDelete' } },
      taints: [{ key: 'k', effect: 'NoSchedule', propagation: 'Always' }],
      readinessGates: [{ conditionType: 'Class' }],
      healthCheck: { remediation: { maxInFlight: 1 }, checks: { nodeStartupTimeoutSeconds: 60 } },
    },
    controlPlaneClass: {
      machineInfrastructure: {
        templateRef: { apiVersion: 'infrastructure.example.com/v1', kind: 'VMTemplate', name: 'control-vm' },
      },
      metadata: { labels: { a: 'class', b: 'class' } },
      deletion: { nodeDrainTimeoutSeconds: 7 },
      taints: [{ key: 'class', effect: 'NoSchedule', propagation: 'Always' }],
    },
  };
  const override: TopologyFixture = {
    ...fixture,
    topology: {
      controlPlane: { replicas: 1, metadata: { labels: { a: 'topology' } }, deletion: { nodeDrainTimeoutSeconds: 8 } },
      workers: {
        machineDeployments: [
          {
            name: 'md',
            class: 'worker',
            metadata: {
              labels: { a: 'topology' },
              annotations: {
                'topology.cluster.x-k8s.io/defer-upgrade': '',
                'topology.cluster.x-k8s.io/hold-upgrade-sequence': '',
                y: 'topology',
              },
            },
            deletion: { nodeDrainTimeoutSeconds: 9, order: 'Newest' },
            minReadySeconds: 6,
            failureDomain: 'two',
            rollout: { after: '2026-01-01T00:00:00Z' },
            taints: [],
            readinessGates: [{ conditionType: 'Topology' }],
            healthCheck: { remediation: { maxInFlight: 2 } },
          },
        ],
      },
    },
  };

  it('applies field by field, and to lists and rollout as a whole', () => {
    const { object } = desired(override).machineDeployments.get('md') ?? {};
    expect(object).toMatchObject({
      metadata: { labels: { a: 'topology', b: 'class' }, annotations: { x: 'class', y: 'topology' } },
      spec: {
        deletion: { order: 'Newest' },
        remediation: { maxInFlight: 2 },
        rollout: { after: '2026-01-01T00:00:00Z' },
        template: {
          spec: {
            deletion: { nodeDrainTimeoutSeconds: 9, nodeDeletionTimeoutSeconds: 2 },
            minReadySeconds: 6,
            failureDomain: 'two',
            taints: [],
            readinessGates: [{ conditionType: 'Topology' }],
          },
        },
      },
    });
    expect(object?.spec.rollout).not.toHaveProperty('strategy');
    // Annotations that control the upgrade order are not propagated to machines.
    expect(object?.metadata.annotations).toEqual({ x: 'class', y: 'topology' });
    expect(object?.spec.template.metadata?.annotations).toEqual({ x: 'class', y: 'topology' });
  });

  it('applies to the control plane, whose labels are propagated to its machines', () => {
    const { object } = desired(override).controlPlane;
    expect(object.metadata.labels).toMatchObject({ a: 'topology', b: 'class' });
    expect(spec(object, 'machineTemplate')).toMatchObject({
      metadata: { labels: { a: 'topology', b: 'class' } },
      spec: {
        deletion: { nodeDrainTimeoutSeconds: 8 },
        taints: [{ key: 'class', effect: 'NoSchedule', propagation: 'Always' }],
      },
    });
  });

  it.each([
    { name: 'from the class', topology: {}, checks: { nodeStartupTimeoutSeconds: 60 } },
    { name: 'disabled by the topology', topology: { healthCheck: { enabled: false } }, checks: undefined },
    {
      name: 'enabled by the topology',
      topology: { healthCheck: { enabled: true } },
      checks: { nodeStartupTimeoutSeconds: 60 },
    },
    {
      name: 'from the topology, which replaces that of the class',
      topology: {
        healthCheck: { checks: { unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }] } },
      },
      checks: {
        nodeStartupTimeoutSeconds: 600,
        unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 300 }],
      },
    },
  ])('creates health checks: $name', ({ topology, checks }) => {
    const workers = { machineDeployments: [{ name: 'md', class: 'worker', ...topology }] } as never;
    const made = desired({ ...fixture, topology: { workers } }).machineDeployments.get('md');
    expect(made?.healthCheck?.spec.checks).toEqual(checks);
    if (checks === undefined) return;
    expect(made?.healthCheck).toMatchObject({
      metadata: { name: made?.object.metadata.name, ownerReferences: [{ kind: 'Cluster', name: 'c' }] },
      spec: {
        clusterName: 'c',
        selector: {
          matchLabels: {
            'topology.cluster.x-k8s.io/owned': '',
            'topology.cluster.x-k8s.io/deployment-name': 'md',
          },
        },
      },
    });
    expect(made?.healthCheck?.spec).not.toHaveProperty('remediation.maxInFlight');
  });
});

describe('pools', () => {
  it('have objects instead of templates', () => {
    const workers = {
      machinePools: [{ name: 'mp', class: 'pool', replicas: 4, failureDomains: ['a'], minReadySeconds: 3 }],
    };
    const pool = desired({ topology: { workers } }).machinePools.get('mp');
    expect(pool?.bootstrap).toMatchObject({
      kind: 'Boot',
      metadata: {
        name: expect.stringMatching(/^c-mp-/) as string,
        labels: { 'topology.cluster.x-k8s.io/pool-name': 'mp', 'object-label': 'boot' },
        ownerReferences: [{ kind: 'Cluster' }],
      },
      spec: { from: 'boot' },
    });
    expect(pool?.object.spec).toMatchObject({
      replicas: 4,
      failureDomains: ['a'],
      template: {
        spec: {
          version: 'v1.35.0',
          minReadySeconds: 3,
          bootstrap: { configRef: { kind: 'Boot', name: pool?.bootstrap.metadata.name } },
          infrastructureRef: { kind: 'VM', name: pool?.infrastructure.metadata.name },
        },
      },
    });
  });
});
