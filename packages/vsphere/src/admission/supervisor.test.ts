import { defaultAdmissionContext, type FeatureGates, topologyAnnotations } from '@slipway/cluster-api';
import { admissionOf, objectOfKind, problemsOf } from '@slipway/cluster-api/testing';
import type { KubeObject } from '@slipway/kube';
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
  { name: 'needs nothing', kind: 'VSphereCluster', spec: {}, problems: [] },
  {
    name: 'has the provider of the process, unless a gate says otherwise',
    kind: 'VSphereCluster',
    spec: { network: { provider: 'VPC' } },
    problems: [
      'spec.network.provider: Forbidden: can only be set while the feature gate ClusterNetworkProvider is open',
    ],
  },
  {
    name: 'names its provider once it may',
    kind: 'VSphereCluster',
    spec: {},
    gates: ['ClusterNetworkProvider'],
    problems: ['spec.network.provider: Required value: must be set'],
  },
  {
    name: 'may leave it out while a topology is tried out',
    kind: 'VSphereClusterTemplate',
    spec: { template: { spec: {} } },
    gates: ['ClusterNetworkProvider'],
    annotations: { [topologyAnnotations.dryRun]: '' },
    dryRun: true,
    problems: [],
  },
  {
    name: 'speaks of VPCs only behind a gate',
    kind: 'VSphereCluster',
    spec: { network: { nsxVPC: { createSubnetSet: false } } },
    networkProvider: 'NSX-VPC',
    problems: ['spec.network.nsxVPC: Forbidden: can only be set while the feature gate MultiNetworks is open'],
  },
  {
    name: 'speaks of VPCs only where there are some',
    kind: 'VSphereCluster',
    spec: { network: { nsxVPC: { createSubnetSet: false } } },
    gates: ['MultiNetworks'],
    networkProvider: 'NSX',
    problems: ['spec.network.nsxVPC: Forbidden: can only be set when the network provider is VPC'],
  },
  {
    name: 'selects zones only behind a gate',
    kind: 'VSphereCluster',
    spec: { failureDomains: { controlPlane: { selector: { matchLabels: { a: 'b' } } } } },
    problems: [
      'spec.failureDomains.controlPlane.selector: Forbidden: can only be set while the feature gate NamespaceScopedZones is open',
    ],
  },
  {
    name: 'does not select everything',
    kind: 'VSphereCluster',
    spec: { failureDomains: { controlPlane: { selector: {} } } },
    gates: ['NamespaceScopedZones'],
    problems: ['spec.failureDomains.controlPlane.selector: Invalid value: {}: selector must not be empty'],
  },
];

const machineRows: Row[] = [
  { name: 'needs an image and a class', kind: 'VSphereMachine', spec: machine(), problems: [] },
  {
    name: 'stays what it is',
    kind: 'VSphereMachine',
    spec: machine({ imageName: 'j', className: 'd', storageClass: 's', minHardwareVersion: 'vmx-19' }),
    old: machine(),
    problems: ['imageName', 'className', 'storageClass', 'minHardwareVersion'].map(
      (field) => `spec.${field}: Forbidden: field is immutable`,
    ),
  },
  {
    name: 'wants a hardware version that there can be',
    kind: 'VSphereMachine',
    spec: machine({ minHardwareVersion: '19' }),
    problems: ['spec.minHardwareVersion: Invalid value: "19": should be a hardware version: vmx-19'],
  },
  {
    name: 'has more networks, VLANs and policies only behind gates',
    kind: 'VSphereMachine',
    spec: { ...vlans({ name: 'v', id: 1, link: 'eth1' }), policies: [{ kind: 'P', name: 'p' }] },
    problems: [
      'spec.policies: Forbidden: can only be set while the feature gate InfrastructurePolicies is open',
      'spec.network.interfaces: Forbidden: can only be set while the feature gate MultiNetworks is open',
      'spec.network.vlans: Forbidden: can only be set while the feature gate VLANSubinterface is open',
    ],
  },
  {
    name: 'has a primary network of its own only in a VPC',
    kind: 'VSphereMachine',
    spec: machine({ network: { interfaces: { primary: { networkRef: vpc('SubnetSet') } } } }),
    gates: ['MultiNetworks'],
    networkProvider: 'vsphere-network',
    problems: ['spec.network.interfaces.primary: Forbidden: can only be set when the network provider is VPC'],
  },
  {
    name: 'has a SubnetSet for its primary network',
    kind: 'VSphereMachine',
    spec: machine({ network: { interfaces: { primary: { networkRef: vpc('Subnet') } } } }),
    gates: ['MultiNetworks'],
    networkProvider: 'VPC',
    problems: [
      'spec.network.interfaces.primary.networkRef.kind: Unsupported value: "Subnet": supported values: "SubnetSet"',
    ],
  },
  {
    name: 'tells its interfaces apart',
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
    name: 'has networks of the net operator on distributed switches',
    kind: 'VSphereMachine',
    spec: secondaries({ name: 'eth1', networkRef: vpc('Network') }),
    gates: ['MultiNetworks'],
    networkProvider: 'VSphereDistributed',
    problems: [
      'spec.network.interfaces.secondary[0].networkRef.apiVersion: Invalid value: "crd.nsx.vmware.com/v1alpha1": must be of the group netoperator.vmware.com',
    ],
  },
  {
    name: 'tells its VLANs apart',
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
    name: 'is the same whether or not it says the old default',
    kind: 'VSphereMachineTemplate',
    spec: { template: { spec: machine() } },
    old: { template: { spec: machine({ powerOffMode: 'hard' }) } },
    problems: [],
  },
  {
    name: 'never changes otherwise',
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
