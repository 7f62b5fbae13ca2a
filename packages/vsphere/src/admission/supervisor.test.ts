import { defaultAdmissionContext, type FeatureGates, topologyAnnotations } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { admissionOf, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import type { VSphereFeatureGate } from '../feature-gates.js';
import { createSupervisorAdmission } from './supervisor.js';

const contextWith = (gates: readonly VSphereFeatureGate[], dryRun = false) => ({
  features: {
    ...defaultAdmissionContext.features,
    ...Object.fromEntries(gates.map((gate) => [gate, true])),
  } as FeatureGates,
  dryRun,
});

interface Row {
  name: string;
  kind: string;
  spec: object;
  old?: object;
  gates?: VSphereFeatureGate[];
  networkProvider?: string;
  annotations?: Record<string, string>;
  dryRun?: boolean;
  problems: string[];
}

const machine = (more: object = {}) => ({ imageName: 'i', className: 'c', ...more });
const vpc = (kind: string, name = 'n') => ({ apiVersion: 'crd.nsx.vmware.com/v1alpha1', kind, name });
const secondaries = (...list: object[]) => machine({ network: { interfaces: { secondary: list } } });
const vlans = (...list: object[]) =>
  machine({ network: { interfaces: { secondary: [{ name: 'eth1', networkRef: vpc('Subnet') }] }, vlans: list } });

const clusterRows: Row[] = [
  { name: 'accepts an empty spec', kind: 'VSphereCluster', spec: {}, problems: [] },
  {
    name: 'rejects a network provider without its feature gate',
    kind: 'VSphereCluster',
    spec: { network: { provider: 'VPC' } },
    problems: [
      'spec.network.provider: Forbidden: can only be set if the feature gate ClusterNetworkProvider is enabled',
    ],
  },
  {
    name: 'requires a network provider with its feature gate',
    kind: 'VSphereCluster',
    spec: {},
    gates: ['ClusterNetworkProvider'],
    problems: ['spec.network.provider: Required value: must be set'],
  },
  {
    name: 'allows a missing network provider in a topology dry run',
    kind: 'VSphereClusterTemplate',
    spec: { template: { spec: {} } },
    gates: ['ClusterNetworkProvider'],
    annotations: { [topologyAnnotations.dryRun]: '' },
    dryRun: true,
    problems: [],
  },
  {
    name: 'rejects nsxVPC without its feature gate',
    kind: 'VSphereCluster',
    spec: { network: { nsxVPC: { createSubnetSet: false } } },
    networkProvider: 'NSX-VPC',
    problems: ['spec.network.nsxVPC: Forbidden: can only be set if the feature gate MultiNetworks is enabled'],
  },
  {
    name: 'rejects nsxVPC with another network provider',
    kind: 'VSphereCluster',
    spec: { network: { nsxVPC: { createSubnetSet: false } } },
    gates: ['MultiNetworks'],
    networkProvider: 'NSX',
    problems: ['spec.network.nsxVPC: Forbidden: can only be set if the network provider is VPC'],
  },
  {
    name: 'rejects a zone selector without its feature gate',
    kind: 'VSphereCluster',
    spec: { failureDomains: { controlPlane: { selector: { matchLabels: { a: 'b' } } } } },
    problems: [
      'spec.failureDomains.controlPlane.selector: Forbidden: can only be set if the feature gate NamespaceScopedZones is enabled',
    ],
  },
  {
    name: 'rejects an empty zone selector',
    kind: 'VSphereCluster',
    spec: { failureDomains: { controlPlane: { selector: {} } } },
    gates: ['NamespaceScopedZones'],
    problems: ['spec.failureDomains.controlPlane.selector: Invalid value: {}: selector must not be empty'],
  },
];

const machineRows: Row[] = [
  { name: 'accepts a machine with an image and a class', kind: 'VSphereMachine', spec: machine(), problems: [] },
  {
    name: 'rejects changes of immutable fields',
    kind: 'VSphereMachine',
    spec: machine({ imageName: 'j', className: 'd', storageClass: 's', minHardwareVersion: 'vmx-19' }),
    old: machine(),
    problems: ['imageName', 'className', 'storageClass', 'minHardwareVersion'].map(
      (field) => `spec.${field}: Forbidden: field is immutable`,
    ),
  },
  {
    name: 'rejects an invalid hardware version',
    kind: 'VSphereMachine',
    spec: machine({ minHardwareVersion: '19' }),
    problems: ['spec.minHardwareVersion: Invalid value: "19": must be a hardware version such as vmx-19'],
  },
  {
    name: 'rejects interfaces, VLANs and policies without their feature gates',
    kind: 'VSphereMachine',
    spec: { ...vlans({ name: 'v', id: 1, link: 'eth1' }), policies: [{ kind: 'P', name: 'p' }] },
    problems: [
      'spec.policies: Forbidden: can only be set if the feature gate InfrastructurePolicies is enabled',
      'spec.network.interfaces: Forbidden: can only be set if the feature gate MultiNetworks is enabled',
      'spec.network.vlans: Forbidden: can only be set if the feature gate VLANSubinterface is enabled',
    ],
  },
  {
    name: 'rejects a primary interface outside a VPC',
    kind: 'VSphereMachine',
    spec: machine({ network: { interfaces: { primary: { networkRef: vpc('SubnetSet') } } } }),
    gates: ['MultiNetworks'],
    networkProvider: 'vsphere-network',
    problems: ['spec.network.interfaces.primary: Forbidden: can only be set if the network provider is VPC'],
  },
  {
    name: 'requires a SubnetSet for the primary interface',
    kind: 'VSphereMachine',
    spec: machine({ network: { interfaces: { primary: { networkRef: vpc('Subnet') } } } }),
    gates: ['MultiNetworks'],
    networkProvider: 'VPC',
    problems: [
      'spec.network.interfaces.primary.networkRef.kind: Unsupported value: "Subnet": supported values: "SubnetSet"',
    ],
  },
  {
    name: 'rejects duplicate interface names',
    kind: 'VSphereMachine',
    spec: secondaries(
      { name: 'eth0', networkRef: vpc('Subnet') },
      { name: 'eth1', networkRef: vpc('Network') },
      { name: 'eth1', networkRef: vpc('SubnetSet') },
    ),
    gates: ['MultiNetworks'],
    networkProvider: 'VPC',
    problems: [
      'spec.network.interfaces.secondary[0].name: Duplicate value: "eth0"',
      'spec.network.interfaces.secondary[1].networkRef.kind: Unsupported value: "Network": supported values: "SubnetSet", "Subnet"',
      'spec.network.interfaces.secondary[2].name: Duplicate value: "eth1"',
    ],
  },
  {
    name: 'requires a netoperator Network on distributed switches',
    kind: 'VSphereMachine',
    spec: secondaries({ name: 'eth1', networkRef: vpc('Network') }),
    gates: ['MultiNetworks'],
    networkProvider: 'VSphereDistributed',
    problems: [
      'spec.network.interfaces.secondary[0].networkRef.apiVersion: Invalid value: "crd.nsx.vmware.com/v1alpha1": must have the API group netoperator.vmware.com',
    ],
  },
  {
    name: 'rejects duplicate VLANs and unknown links',
    kind: 'VSphereMachine',
    spec: vlans(
      { name: 'a', id: 1, link: 'eth1' },
      { name: 'a', id: 1, link: 'eth1' },
      { name: 'b', id: 2, link: 'eth7' },
    ),
    gates: ['MultiNetworks', 'VLANSubinterface'],
    networkProvider: 'VPC',
    problems: [
      'spec.network.vlans[1].name: Duplicate value: "a"',
      'spec.network.vlans[1].id: Duplicate value: 1',
      'spec.network.vlans[2].link: Invalid value: "eth7": must be the name of a secondary interface',
    ],
  },
];

const templateRows: Row[] = [
  {
    name: 'accepts an update that adds the former default',
    kind: 'VSphereMachineTemplate',
    spec: { template: { spec: machine() } },
    old: { template: { spec: machine({ powerOffMode: 'hard' }) } },
    problems: [],
  },
  {
    name: 'rejects other changes of a template',
    kind: 'VSphereMachineTemplate',
    spec: { template: { spec: machine({ powerOffMode: 'soft' }) } },
    old: { template: { spec: machine() } },
    problems: [expect.stringContaining('field is immutable') as string],
  },
];

describe('validation', () => {
  it.each([...clusterRows, ...machineRows, ...templateRows])('$kind: $name', (row) => {
    const { kind, spec, old, gates = [], networkProvider = '', annotations = {}, dryRun = false, problems } = row;
    const admission = admissionOf(createSupervisorAdmission({ networkProvider }), kind);
    const make = (each: object): KubeObject => objectOfKind(admission.kind, each, { annotations });
    expect(problemsOf(admission, make(spec), old && make(old), contextWith(gates, dryRun))).toEqual(problems);
  });
});
