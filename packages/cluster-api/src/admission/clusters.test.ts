import type { KubeObject } from '@slipway/kube';
import { admissionOf, everyFeature, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { cluster, type Cluster } from '../api/cluster.js';
import { clusterClass, type ClusterClass } from '../api/cluster-class.js';
import { clusterApiAdmission, defaultAdmissionContext, validateClassesKept, validateUpgrade } from './index.js';

const ref = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: 'r' };
const topology = { classRef: { name: 'k' }, version: 'v1.35.0' };
const make = (spec: object, metadata?: KubeObject['metadata']) => objectOfKind(cluster, spec, metadata);

describe('Cluster', () => {
  it('adds a v to the version of its topology', () => {
    const object = make({ topology: { ...topology, version: '1.35.0' } });
    admissionOf(clusterApiAdmission, 'Cluster').applyDefaults(object, undefined, everyFeature);
    expect(object['spec']).toEqual({ topology });
  });

  const rows: { name: string; object: KubeObject; old?: KubeObject; problems: string[] }[] = [
    { name: 'accepts references', object: make({ infrastructureRef: ref, controlPlaneRef: ref }), problems: [] },
    {
      name: 'requires a topology or references',
      object: make({ paused: true }),
      problems: ['spec: Required value: at least one of controlPlaneRef, infrastructureRef or topology must be set'],
    },
    {
      name: 'keeps references',
      object: make({ infrastructureRef: ref }),
      old: make({ infrastructureRef: ref, controlPlaneRef: ref }),
      problems: ['spec.controlPlaneRef: Forbidden: cannot be removed'],
    },
    {
      name: 'requires valid CIDR blocks',
      object: make({
        infrastructureRef: ref,
        clusterNetwork: {
          pods: { cidrBlocks: ['10.0.0.0/8', '10.0.0.0'] },
          services: { cidrBlocks: ['fd00::/64', '1/8'] },
        },
      }),
      problems: [
        'spec.clusterNetwork.services.cidrBlocks[1]: Invalid value: "1/8": invalid CIDR address: 1/8',
        'spec.clusterNetwork.pods.cidrBlocks[1]: Invalid value: "10.0.0.0": invalid CIDR address: 10.0.0.0',
      ],
    },
    {
      name: 'rejects the removal of its topology',
      object: make({ infrastructureRef: ref }),
      old: make({ infrastructureRef: ref, topology }),
      problems: ['spec.topology: Forbidden: cannot be removed from an existing Cluster'],
    },
    {
      name: 'rejects older versions',
      object: make({ topology: { ...topology, version: 'v1.34.9' } }),
      old: make({ topology }),
      problems: [
        'spec.topology.version: Invalid value: "v1.34.9": version cannot be decreased from "1.35.0" to "1.34.9"',
      ],
    },
    {
      name: 'accepts lower versions with the skip annotation',
      object: make(
        { topology: { ...topology, version: 'v1.34.9' } },
        { annotations: { 'unsafe.topology.cluster.x-k8s.io/disable-update-version-check': '' } },
      ),
      old: make({ topology }),
      problems: [],
    },
    {
      name: 'rejects invalid versions',
      object: make({ topology: { ...topology, version: 'v1.35' } }),
      problems: ['spec.topology.version: Invalid value: "v1.35": version must be a valid semantic version'],
    },
    {
      name: 'rejects an upgrade concurrency below 1',
      object: make({ topology }, { annotations: { 'topology.cluster.x-k8s.io/upgrade-concurrency': '0' } }),
      problems: [
        'metadata.annotations[topology.cluster.x-k8s.io/upgrade-concurrency]: Invalid value: "0": must be an integer greater than 0',
      ],
    },
  ];
  it.each(rows)('$name', ({ object, old, problems }) => {
    expect(problemsOf(admissionOf(clusterApiAdmission, 'Cluster'), object, old)).toEqual(problems);
  });

  it('requires a name that is a valid label value', () => {
    const object = make({ infrastructureRef: ref }, { name: 'a'.repeat(64) });
    expect(problemsOf(admissionOf(clusterApiAdmission, 'Cluster'), object)[0]).toContain(
      'metadata.name: Invalid value',
    );
  });

  it('rejects a topology while its feature gate is disabled', () => {
    const object = make({ topology });
    expect(problemsOf(admissionOf(clusterApiAdmission, 'Cluster'), object, undefined, defaultAdmissionContext)).toEqual(
      ['spec.topology: Forbidden: can be set only if the ClusterTopology feature flag is enabled'],
    );
  });
});

describe('validateUpgrade', () => {
  const calm = { classPlansUpgrades: false, partsBehind: [], afterUpgradeHookPending: false };
  const rows = [
    { name: 'accepts the next minor version', version: 'v1.36.1', facts: calm, problems: 0 },
    { name: 'rejects a skipped minor version', version: 'v1.37.0', facts: calm, problems: 1 },
    {
      name: 'accepts a skipped minor version if the class plans upgrades',
      version: 'v1.37.0',
      facts: { ...calm, classPlansUpgrades: true },
      problems: 0,
    },
    {
      name: 'rejects an upgrade while the previous one is in progress',
      version: 'v1.36.0',
      facts: { ...calm, partsBehind: ['MachineDeployment a'] },
      problems: 1,
    },
    {
      name: 'rejects an upgrade while its hook is pending',
      version: 'v1.36.0',
      facts: { ...calm, afterUpgradeHookPending: true },
      problems: 1,
    },
    { name: 'accepts an unchanged version', version: 'v1.35.0', facts: { ...calm, partsBehind: ['x'] }, problems: 0 },
  ];
  it.each(rows)('$name', ({ version, facts, problems }) => {
    const next = make({ topology: { ...topology, version } }) as unknown as Cluster;
    expect(validateUpgrade(next, make({ topology }) as unknown as Cluster, facts)).toHaveLength(problems);
  });
});

describe('ClusterClass', () => {
  const reference = (kind: string, group = 'infrastructure.cluster.x-k8s.io') => ({
    templateRef: { apiVersion: `${group}/v1beta2`, kind, name: 'r' },
  });
  const worker = (name: string, kind = 'DevMachineTemplate') => ({
    class: name,
    bootstrap: reference('KubeadmConfigTemplate'),
    infrastructure: reference(kind),
  });
  const spec = {
    infrastructure: reference('DevClusterTemplate'),
    controlPlane: {
      ...reference('KubeadmControlPlaneTemplate'),
      machineInfrastructure: reference('DevMachineTemplate'),
    },
    workers: { machineDeployments: [worker('linux-a'), worker('linux-b')] },
  };
  const patch = (jsonPatch: object, matchResources: object = { controlPlane: true }) => ({
    ...spec,
    patches: [
      {
        name: 'p',
        definitions: [{ selector: { apiVersion: 'a/v1', kind: 'K', matchResources }, jsonPatches: [jsonPatch] }],
      },
    ],
  });
  const add = { op: 'add', path: '/spec/a', value: 1 };
  const path = 'spec.patches[0].definitions[0]';

  const rows: { name: string; spec: object; old?: object; problems: string[] }[] = [
    { name: 'accepts a class', spec, problems: [] },
    {
      name: 'requires template kinds',
      spec: { ...spec, infrastructure: reference('DevCluster') },
      problems: [
        'spec.infrastructure.templateRef.kind: Invalid value: "DevCluster": template kind must be of form *Template',
      ],
    },
    {
      name: 'rejects reserved variable names',
      spec: { ...spec, variables: [variable('builtin'), variable('a'), variable('a'), variable('a.b')] },
      problems: [
        'spec.variables[0].name: Invalid value: "builtin": "builtin" is a reserved variable name',
        'spec.variables[2].name: Duplicate value: "a"',
        'spec.variables[3].name: Invalid value: "a.b": variable name cannot contain "."',
      ],
    },
    {
      name: 'rejects changes of the kinds that Clusters were created from',
      spec: { ...spec, workers: { machineDeployments: [worker('linux-a', 'OtherMachineTemplate')] } },
      old: spec,
      problems: [
        'spec.workers.machineDeployments[0].infrastructure.templateRef.kind: Forbidden: kind cannot be changed from "DevMachineTemplate" to "OtherMachineTemplate" to prevent incompatible changes in the Clusters',
      ],
    },
    {
      name: 'requires valid versions',
      spec: { ...spec, kubernetesVersions: ['v1.35.0', '1.36'] },
      problems: ['spec.kubernetesVersions[1]: Invalid value: "1.36": version must be a valid semantic version'],
    },
    { name: 'accepts a patch', spec: patch(add), problems: [] },
    {
      name: 'rejects patches outside of the spec',
      spec: patch({ ...add, path: '/metadata/name' }),
      problems: [`${path}.jsonPatches[0].path: Invalid value: "/metadata/name": must start with "/spec/"`],
    },
    {
      name: 'rejects patches in the middle of a list',
      spec: patch({ ...add, path: '/spec/a/3' }),
      problems: [
        `${path}.jsonPatches[0].path: Invalid value: "/spec/a/3": list positions are only allowed in "add", and only "0" or "-"`,
      ],
    },
    {
      name: 'requires exactly one value',
      spec: patch({ ...add, valueFrom: { variable: 'a' } }),
      problems: [`${path}.jsonPatches[0]: Forbidden: only one of value or valueFrom can be set`],
    },
    {
      name: 'matches class names by prefix',
      spec: patch(add, { machineDeploymentClass: { names: ['linux-*', '*', '*-b', 'windows-*', 'a*b'] } }),
      problems: [
        `${path}.selector.matchResources.machineDeploymentClass.names[3]: Invalid value: "windows-*": no class of that name is defined in the ClusterClass`,
        `${path}.selector.matchResources.machineDeploymentClass.names[4]: Invalid value: "a*b": "*" is allowed only once, at the beginning or at the end`,
      ],
    },
    {
      name: 'requires a source of patches',
      spec: { ...spec, patches: [{ name: 'p' }, { name: 'p', external: {}, definitions: [] }] },
      problems: [
        'spec.patches[0]: Required value: one of definitions or external must be defined',
        'spec.patches[1].name: Duplicate value: "p"',
        'spec.patches[1]: Forbidden: only one of definitions or external can be defined',
      ],
    },
  ];
  it.each(rows)('$name', ({ spec: given, old, problems }) => {
    const object = objectOfKind(clusterClass, given);
    const former = old && objectOfKind(clusterClass, old);
    expect(problemsOf(admissionOf(clusterApiAdmission, 'ClusterClass'), object, former)).toEqual(problems);
  });

  it('rejects the removal of classes that Clusters use', () => {
    const used = { machineDeployments: new Set(['linux-a', 'gone']), machinePools: new Set<string>() };
    expect(validateClassesKept(spec as ClusterClass['spec'], used).map((error) => error.message)).toEqual([
      'Forbidden: class "gone" cannot be deleted because it is used by Clusters',
    ]);
  });

  function variable(name: string) {
    return { name, required: false, schema: { openAPIV3Schema: { type: 'string' } } };
  }
});
