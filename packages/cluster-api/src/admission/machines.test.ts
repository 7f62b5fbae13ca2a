import type { KubeObject } from '@slipway/kube';
import { admissionOf, everyFeature, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { clusterApiAdmission, defaultAdmissionContext } from './index.js';

const ref = (kind: string) => ({ apiGroup: 'infrastructure.cluster.x-k8s.io', kind, name: 'r' });
const machineSpec = { clusterName: 'c', bootstrap: { dataSecretName: 's' }, infrastructureRef: ref('DevMachine') };
const template = (labels = { a: 'b' }) => ({ metadata: { labels }, spec: machineSpec });
const selector = { matchLabels: { a: 'b' } };
const sizes = {
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '3',
  'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '7',
};

function make(kind: string, spec: object, metadata: KubeObject['metadata'] = {}): KubeObject {
  return objectOfKind(admissionOf(clusterApiAdmission, kind).kind, structuredClone(spec), metadata);
}

function defaulted(object: KubeObject, old?: KubeObject): KubeObject {
  admissionOf(clusterApiAdmission, object.kind).applyDefaults(object, old, everyFeature);
  return object;
}

describe('defaults', () => {
  const rows = [
    {
      name: 'Machine: sets the cluster label, the version prefix and nodeDeletionTimeoutSeconds [14.10]',
      object: make('Machine', { ...machineSpec, version: '1.36.0' }),
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
      spec: { ...machineSpec, version: 'v1.36.0', deletion: { nodeDeletionTimeoutSeconds: 10 } },
    },
    {
      name: 'Machine: keeps an explicit 0 [14.10]',
      object: make('Machine', { ...machineSpec, deletion: { nodeDeletionTimeoutSeconds: 0 } }),
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
      spec: { ...machineSpec, deletion: { nodeDeletionTimeoutSeconds: 0 } },
    },
    {
      name: 'MachineSet: selects by its own name and its cluster',
      object: make('MachineSet', { clusterName: 'c', selector: {}, template: { spec: machineSpec } }),
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
      spec: {
        clusterName: 'c',
        replicas: 1,
        selector: { matchLabels: { 'cluster.x-k8s.io/set-name': 'x', 'cluster.x-k8s.io/cluster-name': 'c' } },
        template: {
          metadata: { labels: { 'cluster.x-k8s.io/set-name': 'x', 'cluster.x-k8s.io/cluster-name': 'c' } },
          spec: machineSpec,
        },
      },
    },
    {
      name: 'MachineDeployment: sets the strategy and the selector',
      object: make('MachineDeployment', { clusterName: 'c', selector, template: template() }),
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
      spec: {
        clusterName: 'c',
        replicas: 1,
        rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
        selector: { matchLabels: { a: 'b', 'cluster.x-k8s.io/cluster-name': 'c' } },
        template: { metadata: { labels: { a: 'b', 'cluster.x-k8s.io/cluster-name': 'c' } }, spec: machineSpec },
      },
    },
    {
      name: 'MachineHealthCheck: sets nodeStartupTimeoutSeconds',
      object: make('MachineHealthCheck', { clusterName: 'c', selector }),
      metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
      spec: { clusterName: 'c', selector, checks: { nodeStartupTimeoutSeconds: 600 } },
    },
  ];
  it.each(rows)('$name', ({ object, metadata, spec }) => {
    expect(defaulted(object)).toMatchObject({ metadata });
    expect(object['spec']).toEqual(spec);
  });

  it('sets no rollingUpdate with OnDelete', () => {
    const object = make('MachineDeployment', {
      clusterName: 'c',
      selector,
      template: template(),
      rollout: { strategy: { type: 'OnDelete' } },
    });
    expect(defaulted(object)['spec']).toMatchObject({ rollout: { strategy: { type: 'OnDelete' } } });
    expect(JSON.stringify(object)).not.toContain('rollingUpdate');
  });
});

describe('the default of replicas from autoscaler annotations, which is used only when `replicas` is nil [14.54]', () => {
  const rows = [
    { name: 'given', replicas: 9, annotations: sizes, old: undefined, then: 9 },
    { name: 'no annotations', replicas: undefined, annotations: {}, old: 5, then: 1 },
    { name: 'new', replicas: undefined, annotations: sizes, old: undefined, then: 3 },
    { name: 'old below', replicas: undefined, annotations: sizes, old: 1, then: 3 },
    { name: 'old inside', replicas: undefined, annotations: sizes, old: 5, then: 5 },
    { name: 'old above', replicas: undefined, annotations: sizes, old: 12, then: 7 },
    {
      name: 'ignores annotations that are not numbers',
      replicas: undefined,
      annotations: { ...sizes, ...bad() },
      old: 5,
      then: 1,
    },
  ];
  it.each(rows)('$name', ({ replicas, annotations, old, then }) => {
    const spec = { clusterName: 'c', selector, template: template() };
    const former = old === undefined ? undefined : make('MachineDeployment', { ...spec, replicas: old });
    const object = make('MachineDeployment', { ...spec, replicas }, { annotations });
    expect(defaulted(object, former)).toMatchObject({ spec: { replicas: then } });
  });

  function bad() {
    return { 'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': 'three' };
  }
});

describe('validation', () => {
  const deployment = { clusterName: 'c', selector, template: template() };
  const strategy = (rollingUpdate: object, type = 'RollingUpdate') => ({
    rollout: { strategy: { type, rollingUpdate } },
  });
  const taints = (key: string) => ({ taints: [{ key, effect: 'NoSchedule', propagation: 'Always' }] });
  const check = { clusterName: 'c', selector };
  const rows: {
    name: string;
    kind: string;
    spec: object;
    metadata?: KubeObject['metadata'];
    old?: object;
    problems: string[];
  }[] = [
    { name: 'accepts a machine', kind: 'Machine', spec: machineSpec, problems: [] },
    {
      name: 'requires bootstrap data',
      kind: 'Machine',
      spec: { ...machineSpec, bootstrap: {} },
      problems: [
        'spec.bootstrap: Required value: expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated',
      ],
    },
    {
      name: 'requires no bootstrap data for machines of a pool',
      kind: 'Machine',
      spec: { ...machineSpec, bootstrap: {} },
      metadata: {
        ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'MachinePool', name: 'p', uid: 'u' }],
      },
      problems: [],
    },
    {
      name: 'requires a valid version',
      kind: 'Machine',
      spec: { ...machineSpec, version: 'latest' },
      problems: ['spec.version: Invalid value: "latest": must be a valid semantic version'],
    },
    {
      name: 'rejects a change of the cluster',
      kind: 'Machine',
      spec: machineSpec,
      old: { ...machineSpec, clusterName: 'other' },
      problems: ['spec.clusterName: Forbidden: field is immutable'],
    },
    {
      name: 'rejects the control plane taint on workers',
      kind: 'Machine',
      spec: { ...machineSpec, ...taints('node-role.kubernetes.io/control-plane') },
      problems: [
        'spec.taints[0].key: Invalid value: "node-role.kubernetes.io/control-plane": taint key is reserved for control plane machines',
      ],
    },
    {
      name: 'accepts the control plane taint on control plane machines',
      kind: 'Machine',
      spec: { ...machineSpec, ...taints('node-role.kubernetes.io/control-plane') },
      metadata: { labels: { 'cluster.x-k8s.io/control-plane': '' } },
      problems: [],
    },
    {
      name: 'rejects reserved taints',
      kind: 'Machine',
      spec: { ...machineSpec, ...taints('node.cluster.x-k8s.io/uninitialized') },
      problems: [
        'spec.taints[0].key: Invalid value: "node.cluster.x-k8s.io/uninitialized": taint key is managed by Cluster API',
      ],
    },
    {
      name: 'requires a selector that matches the template',
      kind: 'MachineSet',
      spec: { ...deployment, template: template({ a: 'c' }) },
      problems: ['spec.template.metadata.labels: Invalid value: {"a":"c"}: must match spec.selector'],
    },
    {
      name: 'rejects unknown preflight checks to skip',
      kind: 'MachineSet',
      spec: deployment,
      metadata: { annotations: { 'machineset.cluster.x-k8s.io/skip-preflight-checks': 'All,Nonsense' } },
      problems: [
        'metadata.annotations[machineset.cluster.x-k8s.io/skip-preflight-checks]: Invalid value: "All,Nonsense": unknown checks Nonsense; must be one of All, ControlPlaneIsStable, KubernetesVersionSkew, KubeadmVersionSkew, ControlPlaneVersionSkew',
      ],
    },
    {
      name: 'requires a random part in names',
      kind: 'MachineSet',
      spec: { ...deployment, machineNaming: { template: '{{ .machineSet.name }}' } },
      problems: [
        'spec.machineNaming.template: Invalid value: "{{ .machineSet.name }}": invalid template, {{ .random }} is missing',
      ],
    },
    {
      name: 'rejects unknown variables in names',
      kind: 'MachineDeployment',
      spec: { ...deployment, machineNaming: { template: '{{ .nothing }}-{{ .random }}' } },
      problems: [
        'spec.machineNaming.template: Invalid value: "{{ .nothing }}-{{ .random }}": invalid template: unknown variable .nothing',
      ],
    },
    {
      name: 'requires maxSurge or maxUnavailable above 0',
      kind: 'MachineDeployment',
      spec: { ...deployment, ...strategy({ maxSurge: 0, maxUnavailable: '0%' }) },
      problems: [
        'spec.rollout.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": cannot be 0 when maxSurge is 0',
      ],
    },
    {
      name: 'requires numbers or percentages',
      kind: 'MachineDeployment',
      spec: { ...deployment, ...strategy({ maxSurge: '5' }), remediation: { maxInFlight: -1 } },
      problems: [
        'spec.rollout.strategy.rollingUpdate.maxSurge: Invalid value: "5": must be either a non-negative int or a percentage',
        'spec.remediation.maxInFlight: Invalid value: -1: must be either a non-negative int or a percentage',
      ],
    },
    {
      name: 'rejects rollingUpdate with OnDelete',
      kind: 'MachineDeployment',
      spec: { ...deployment, ...strategy({ maxSurge: 1 }, 'OnDelete') },
      problems: [
        'spec.rollout.strategy.rollingUpdate: Forbidden: only allowed if spec.rollout.strategy.type is set to RollingUpdate',
      ],
    },
    {
      name: 'requires bootstrap data for a pool',
      kind: 'MachinePool',
      spec: { clusterName: 'c', template: { spec: { ...machineSpec, bootstrap: {} } } },
      problems: [
        'spec.template.spec.bootstrap: Required value: expected either spec.bootstrap.dataSecretName or spec.bootstrap.configRef to be populated',
      ],
    },
    {
      name: 'rejects a selector of another cluster',
      kind: 'MachineHealthCheck',
      spec: { ...check, selector: { matchLabels: { 'cluster.x-k8s.io/cluster-name': 'd' } } },
      problems: [
        'spec.selector: Invalid value: {"matchLabels":{"cluster.x-k8s.io/cluster-name":"d"}}: cannot specify a cluster selector other than the one specified by ClusterName',
      ],
    },
    {
      name: 'requires a selector',
      kind: 'MachineHealthCheck',
      spec: { ...check, selector: {} },
      problems: ['spec.selector: Invalid value: {}: selector must not be empty'],
    },
    {
      name: 'requires a sufficient nodeStartupTimeoutSeconds',
      kind: 'MachineHealthCheck',
      spec: { ...check, checks: { nodeStartupTimeoutSeconds: 29 } },
      problems: [
        'spec.checks.nodeStartupTimeoutSeconds: Invalid value: 29: must be at least 30s, or 0 to disable the check',
      ],
    },
    {
      name: 'accepts 0 to disable the timeout',
      kind: 'MachineHealthCheck',
      spec: { ...check, checks: { nodeStartupTimeoutSeconds: 0 } },
      problems: [],
    },
    {
      name: 'requires non-empty ranges',
      kind: 'MachineHealthCheck',
      spec: { ...check, remediation: { triggerIf: { unhealthyInRange: '[5-3]' } } },
      problems: [
        'spec.remediation.triggerIf.unhealthyInRange: Invalid value: "[5-3]": must have the form [a-b] with a not greater than b',
      ],
    },
    {
      name: 'rejects an order with behavior Skip',
      kind: 'MachineDrainRule',
      spec: { drain: { behavior: 'Skip', order: 1 } },
      problems: ['spec.drain.order: Forbidden: must not be set if drain behavior is "Skip"'],
    },
    {
      name: 'accepts an order with behavior WaitCompleted',
      kind: 'MachineDrainRule',
      spec: { drain: { behavior: 'WaitCompleted', order: 1 } },
      problems: [],
    },
  ];
  it.each(rows)('$kind: $name', ({ kind, spec, metadata, old, problems }) => {
    const object = make(kind, spec, metadata);
    const former = old && make(kind, old, metadata);
    expect(problemsOf(admissionOf(clusterApiAdmission, kind), object, former)).toEqual(problems);
  });

  it('rejects taints while their feature gate is disabled', () => {
    const object = make('Machine', { ...machineSpec, ...taints('a') });
    expect(problemsOf(admissionOf(clusterApiAdmission, 'Machine'), object, undefined, defaultAdmissionContext)).toEqual(
      ['spec.taints: Forbidden: taints may only be set while the feature gate MachineTaintPropagation is enabled'],
    );
  });
});
