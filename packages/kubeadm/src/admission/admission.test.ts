import { defaultAdmissionContext } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { admissionOf, everyFeature, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { kubeadmAdmission } from './index.js';

const make = (kind: string, spec: object): KubeObject =>
  objectOfKind(admissionOf(kubeadmAdmission, kind).kind, structuredClone(spec));

const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', name: 'r' };
const controlPlane = { replicas: 3, version: 'v1.35.0', machineTemplate: { spec: { infrastructureRef } } };
const clusterConfiguration = (configuration: object) => ({
  kubeadmConfigSpec: { clusterConfiguration: configuration },
});
const surge = (maxSurge: number | string) => ({
  rollout: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge } } },
});
const external = { external: { endpoints: ['e'], caFile: 'a', certFile: 'b', keyFile: 'c' } };

it('KubeadmControlPlane defaults replicas, version and strategy', () => {
  const object = make('KubeadmControlPlane', { ...controlPlane, replicas: undefined, version: '1.35.0' });
  admissionOf(kubeadmAdmission, 'KubeadmControlPlane').applyDefaults(object, undefined, everyFeature);
  expect(object['spec']).toEqual({ ...controlPlane, ...surge(1), replicas: 1 });
});

describe('KubeadmControlPlane', () => {
  const path = 'spec.kubeadmConfigSpec.clusterConfiguration';
  const rows: { name: string; spec: object; old?: object; problems: string[] }[] = [
    { name: 'accepts three replicas', spec: controlPlane, problems: [] },
    {
      name: 'rejects zero replicas',
      spec: { ...controlPlane, replicas: 0 },
      problems: ['spec.replicas: Forbidden: must be greater than 0'],
    },
    {
      name: 'requires an odd number of replicas with stacked etcd',
      spec: { ...controlPlane, replicas: 2 },
      problems: ['spec.replicas: Forbidden: cannot be an even number when etcd is stacked'],
    },
    {
      name: 'accepts any number of replicas with external etcd',
      spec: { ...controlPlane, replicas: 2, ...clusterConfiguration({ etcd: external }) },
      problems: [],
    },
    {
      name: 'rejects both local and external etcd',
      spec: { ...controlPlane, ...clusterConfiguration({ etcd: { ...external, local: {} } }) },
      problems: [`${path}.etcd: Forbidden: cannot have both external and local etcd`],
    },
    { name: 'accepts maxSurge 0 with three replicas', spec: { ...controlPlane, ...surge(0) }, problems: [] },
    {
      name: 'requires at least 3 replicas for maxSurge 0',
      spec: { ...controlPlane, replicas: 1, ...surge(0) },
      problems: [
        'spec.rollout.strategy.rollingUpdate.maxSurge: Invalid value: 0: can be 0 only with at least 3 replicas, because etcd would otherwise lose its quorum',
      ],
    },
    {
      name: 'requires maxSurge 0 or 1',
      spec: { ...controlPlane, ...surge('10%') },
      problems: ['spec.rollout.strategy.rollingUpdate.maxSurge: Invalid value: "10%": must be 1 or 0'],
    },
    {
      name: 'requires `{{ .random }}` in machineNaming.template',
      spec: { ...controlPlane, machineNaming: { template: '{{ .kubeadmControlPlane.name }}' } },
      problems: [
        'spec.machineNaming.template: Invalid value: "{{ .kubeadmControlPlane.name }}": invalid template, {{ .random }} is missing',
      ],
    },
    {
      name: 'rejects a version update of more than one minor version',
      spec: { ...controlPlane, version: 'v1.37.0' },
      old: controlPlane,
      problems: ['spec.version: Forbidden: cannot update Kubernetes version from v1.35.0 to v1.37.0'],
    },
    {
      name: 'accepts a downgrade, which this webhook does not reject',
      spec: { ...controlPlane, version: 'v1.33.0' },
      old: controlPlane,
      problems: [],
    },
    {
      name: 'rejects a downgrade of the CoreDNS tag',
      spec: { ...controlPlane, ...clusterConfiguration({ dns: { imageTag: 'v1.11.0' } }) },
      old: { ...controlPlane, ...clusterConfiguration({ dns: { imageTag: 'v1.12.0' } }) },
      problems: [`${path}.dns.imageTag: Forbidden: cannot migrate CoreDNS down from 'v1.12.0' to 'v1.11.0'`],
    },
    {
      name: 'accepts changes of mutable fields',
      spec: {
        ...controlPlane,
        replicas: 5,
        remediation: { maxRetry: 3 },
        kubeadmConfigSpec: {
          clusterConfiguration: { apiServer: { certSANs: ['a'] }, featureGates: { A: true }, imageRepository: 'r' },
          joinConfiguration: { nodeRegistration: { name: 'n' }, controlPlane: {} },
          files: [{ path: '/a', content: 'x' }],
          verbosity: 2,
        },
      },
      old: controlPlane,
      problems: [],
    },
    {
      name: 'rejects changes of other fields',
      spec: { ...controlPlane, ...clusterConfiguration({ certificatesDir: '/b', controlPlaneEndpoint: 'e:1' }) },
      old: { ...controlPlane, ...clusterConfiguration({ certificatesDir: '/a' }) },
      problems: [
        `${path}.certificatesDir: Forbidden: cannot be modified`,
        `${path}.controlPlaneEndpoint: Forbidden: cannot be modified`,
      ],
    },
    {
      name: 'rejects a switch between local and external etcd',
      spec: { ...controlPlane, ...clusterConfiguration({ etcd: external }) },
      old: controlPlane,
      problems: [`${path}.etcd: Forbidden: cannot change between external and local etcd`],
    },
  ];
  it.each(rows)('$name', ({ spec, old, problems }) => {
    const former = old && make('KubeadmControlPlane', old);
    const admission = admissionOf(kubeadmAdmission, 'KubeadmControlPlane');
    expect(problemsOf(admission, make('KubeadmControlPlane', spec), former)).toEqual(problems);
  });
});

describe('KubeadmConfig', () => {
  const secret = { secret: { name: 'n', key: 'k' } };
  const rows: { name: string; spec: object; problems: string[] }[] = [
    {
      name: 'accepts files',
      spec: {
        files: [
          { path: '/a', content: 'x' },
          { path: '/b', contentFrom: secret },
        ],
      },
      problems: [],
    },
    {
      name: 'requires unique file paths, and either content or contentFrom',
      spec: { files: [{ path: '/a', content: 'x', contentFrom: secret }, { path: '/a' }] },
      problems: [
        'spec.files[0]: Invalid value: "/a": only one of content or contentFrom may be specified for a single file',
        'spec.files[1].path: Duplicate value: "/a"',
      ],
    },
    {
      name: 'requires exactly one of passwd and passwdFrom',
      spec: { users: [{ name: 'u', passwd: 'x', passwdFrom: secret }] },
      problems: [
        'spec.users[0]: Invalid value: "u": only one of passwd or passwdFrom may be specified for a single user',
      ],
    },
    {
      name: 'requires either a discovery token or a file',
      spec: { joinConfiguration: { discovery: { bootstrapToken: { token: 't' }, file: { kubeConfigPath: '/k' } } } },
      problems: ['spec.joinConfiguration.discovery: Forbidden: only one of bootstrapToken or file may be specified'],
    },
    {
      name: 'format/ignition consistency',
      spec: { ignition: { containerLinuxConfig: { strict: true } } },
      problems: ['spec.format: Invalid value: "": must be set to "ignition" if spec.ignition is set'],
    },
    {
      name: 'rejects features that Ignition does not support',
      spec: {
        format: 'ignition',
        bootCommands: ['x'],
        users: [{ name: 'u', inactive: true }],
        files: [{ path: '/a', encoding: 'gzip' }],
        diskSetup: { partitions: [{ device: 'd', diskLayout: [{ percentage: 1 }] }] },
      },
      problems: ['bootCommands', 'users[0].inactive', 'files[0].encoding', 'diskSetup.partitions[0].diskLayout'].map(
        (field) => `spec.${field}: Forbidden: not supported when spec.format is "ignition"`,
      ),
    },
  ];
  it.each(rows)('$name', ({ spec, problems }) => {
    expect(problemsOf(admissionOf(kubeadmAdmission, 'KubeadmConfig'), make('KubeadmConfig', spec))).toEqual(problems);
  });

  it('rejects Ignition while the feature gate is disabled', () => {
    const object = make('KubeadmConfigTemplate', { template: { spec: { format: 'ignition' } } });
    const admission = admissionOf(kubeadmAdmission, 'KubeadmConfigTemplate');
    expect(problemsOf(admission, object, undefined, defaultAdmissionContext)).toEqual([
      'spec.template.spec.format: Forbidden: can be set to "ignition" only if the KubeadmBootstrapFormatIgnition feature gate is enabled',
    ]);
  });
});

describe('KubeadmControlPlaneTemplate', () => {
  const admission = admissionOf(kubeadmAdmission, 'KubeadmControlPlaneTemplate');
  const template = (maxRetry: number) =>
    make('KubeadmControlPlaneTemplate', { template: { spec: { remediation: { maxRetry } } } });

  it('is immutable', () => {
    expect(problemsOf(admission, template(1), template(2))).toEqual([
      'spec.template.spec: Invalid value: {"remediation":{"maxRetry":1}}: KubeadmControlPlaneTemplate spec.template.spec field is immutable. Please create a new resource instead.',
    ]);
  });

  it('allows the topology controller to change a template in a dry run', () => {
    const object = template(1);
    object.metadata.annotations = { 'topology.cluster.x-k8s.io/dry-run': '' };
    expect(problemsOf(admission, object, template(2), { ...everyFeature, dryRun: true })).toEqual([]);
  });
});
