import { defaultAdmissionContext, topologyAnnotations } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import { admissionOf, objectOfKind, problemsOf } from '@slipway/testing/kinds';
import { describe, expect, it } from 'vitest';
import { vcenterAdmission } from './vcenter.js';

const make = (kind: string, spec: object, metadata: KubeObject['metadata'] = {}) =>
  objectOfKind(admissionOf(vcenterAdmission, kind).kind, spec, metadata);

const device = { networkName: 'VM Network', dhcp4: true };
const machine = (more: object = {}) => ({ template: 'ubuntu', network: { devices: [device] }, ...more });
const template = (more: object = {}) => ({ template: { spec: machine(more) } });
const domain = (more: object = {}, topology: object = {}) => ({
  region: { name: 'r', type: 'Datacenter', tagCategory: 'k8s-region' },
  zone: { name: 'z', type: 'Datacenter', tagCategory: 'k8s-zone' },
  topology: { datacenter: 'dc', ...topology },
  ...more,
});

interface Row {
  name: string;
  kind: string;
  spec: object;
  old?: object;
  metadata?: KubeObject['metadata'];
  problems: string[];
}

const labelled = { labels: { 'cluster.x-k8s.io/cluster-name': 'prod' } };
const balancer = (more: object = {}) => ({ virtualMachineConfiguration: machine(more) });

const balancerRows: Row[] = [
  {
    name: 'accepts a load balancer',
    kind: 'HAProxyLoadBalancer',
    spec: balancer(),
    metadata: labelled,
    problems: [],
  },
  {
    name: 'requires the cluster name label on a load balancer',
    kind: 'HAProxyLoadBalancer',
    spec: balancer(),
    problems: ['metadata.labels[cluster.x-k8s.io/cluster-name]: Required value: must be the name of the Cluster'],
  },
  {
    name: 'rejects changes of the spec of a load balancer',
    kind: 'HAProxyLoadBalancer',
    spec: balancer(),
    old: balancer({ numCPUs: 4 }),
    metadata: labelled,
    problems: ['spec: Forbidden: field is immutable'],
  },
];

const machineRows: Row[] = [
  { name: 'accepts a machine', kind: 'VSphereMachine', spec: machine(), problems: [] },
  {
    name: 'requires static addresses in CIDR notation',
    kind: 'VSphereMachine',
    spec: machine({ network: { devices: [{ networkName: 'n', ipAddrs: ['10.0.0.1/24', 'fd00::1/64', '10.0.0.1'] }] } }),
    problems: [
      'spec.network.devices[0].ipAddrs[2]: Invalid value: "10.0.0.1": ip addresses should be in the CIDR format',
    ],
  },
  {
    name: 'rejects a power-off timeout without trySoft',
    kind: 'VSphereMachine',
    spec: machine({ powerOffMode: 'hard', guestSoftPowerOffTimeoutSeconds: 10 }),
    problems: [
      'spec.guestSoftPowerOffTimeoutSeconds: Invalid value: 10: should not be set unless the powerOffMode is trySoft',
    ],
  },
  {
    name: 'requires either IDs or a profile for PCI devices',
    kind: 'VSphereMachine',
    spec: machine({
      pciDevices: [
        { deviceId: 1, vendorId: 2 },
        { vGPUProfile: 'p' },
        { deviceId: 1 },
        { vGPUProfile: 'p', vendorId: 2 },
      ],
    }),
    problems: [
      'spec.pciDevices[2]: Invalid value: {"deviceId":1}: either deviceId and vendorId or vGPUProfile must be set',
      'spec.pciDevices[3]: Forbidden: vGPUProfile cannot be set together with deviceId and vendorId',
    ],
  },
  {
    name: 'allows changes of providerID, powerOffMode and devices',
    kind: 'VSphereMachine',
    spec: machine({
      providerID: 'vsphere://x',
      powerOffMode: 'trySoft',
      guestSoftPowerOffTimeoutSeconds: 10,
      network: { devices: [] },
    }),
    old: machine(),
    problems: [],
  },
  {
    name: 'rejects other changes',
    kind: 'VSphereMachine',
    spec: machine({ numCPUs: 4 }),
    old: machine(),
    problems: ['spec: Forbidden: cannot be modified'],
  },
];

const templateRows: Row[] = [
  {
    name: 'rejects providerID, addresses and an invalid hardware version in a template',
    kind: 'VSphereMachineTemplate',
    spec: template({
      providerID: 'x',
      hardwareVersion: 'vmx-0',
      network: { devices: [device, { networkName: 'n', ipAddrs: ['10.0.0.1/24'] }] },
    }),
    problems: [
      'spec.template.spec.providerID: Forbidden: cannot be set in templates',
      'spec.template.spec.network.devices[1].ipAddrs: Forbidden: cannot be set in templates',
      'spec.template.spec.hardwareVersion: Invalid value: "vmx-0": must be a hardware version such as vmx-19',
    ],
  },
  {
    name: 'validates the naming template',
    kind: 'VSphereMachineTemplate',
    spec: template({ naming: { template: '{{ .machine.name }}_vm' } }),
    problems: [
      expect.stringMatching(
        /^spec\.template\.spec\.naming\.template: Invalid value: .*: renders the invalid name "machine_vm"/,
      ) as string,
    ],
  },
  {
    name: 'is immutable',
    kind: 'VSphereMachineTemplate',
    spec: template({ numCPUs: 4 }),
    old: template(),
    problems: [expect.stringContaining('VSphereMachineTemplate spec.template.spec field is immutable') as string],
  },
  {
    name: 'is immutable',
    kind: 'VSphereClusterTemplate',
    spec: { template: { spec: { server: 'a' } } },
    old: { template: { spec: { server: 'b' } } },
    problems: [expect.stringContaining('VSphereClusterTemplate spec.template.spec field is immutable') as string],
  },
];

const vmRows: Row[] = [
  {
    name: 'limits the name of a Windows machine to 15 characters',
    kind: 'VSphereVM',
    spec: machine({ os: 'Windows' }),
    metadata: { name: 'a-very-long-name' },
    problems: ['metadata.name: Too long: may not be more than 15 bytes'],
  },
  {
    name: 'allows os and biosUUID to be set once',
    kind: 'VSphereVM',
    spec: machine({ os: 'Linux', biosUUID: 'b', thumbprint: 't', bootstrapRef: { name: 's' } }),
    old: machine(),
    problems: [],
  },
  {
    name: 'rejects changes of biosUUID',
    kind: 'VSphereVM',
    spec: machine({ os: 'Linux', biosUUID: 'c' }),
    old: machine({ os: 'Linux', biosUUID: 'b' }),
    problems: ['spec: Forbidden: cannot be modified'],
  },
];

const domainRows: Row[] = [
  { name: 'accepts datacenters', kind: 'VSphereFailureDomain', spec: domain(), problems: [] },
  {
    name: 'requires hosts for a zone of type HostGroup',
    kind: 'VSphereFailureDomain',
    spec: domain({
      region: { name: 'r', type: 'HostGroup', tagCategory: 'c' },
      zone: { name: 'z', type: 'HostGroup', tagCategory: 'c' },
    }),
    problems: [
      'spec.region.type: Forbidden: a region cannot be a HostGroup',
      'spec.topology.hosts: Required value: a zone of type HostGroup requires hosts',
    ],
  },
  {
    name: 'requires a compute cluster for hosts',
    kind: 'VSphereFailureDomain',
    spec: domain({}, { hosts: { vmGroupName: 'v', hostGroupName: 'h' } }),
    problems: [
      'spec.topology.computeCluster: Required value: required by hosts, and by zones and regions of type ComputeCluster',
    ],
  },
  {
    name: 'rejects both networks and networkConfigurations',
    kind: 'VSphereFailureDomain',
    spec: domain({}, { networks: ['a'], networkConfigurations: [{ networkName: 'a' }] }),
    problems: ['spec.topology.networks: Forbidden: cannot be set together with networkConfigurations'],
  },
  {
    name: 'is immutable',
    kind: 'VSphereFailureDomain',
    spec: domain({}, { datastore: 'd' }),
    old: domain(),
    problems: ['spec: Forbidden: field is immutable'],
  },
];

describe('validation', () => {
  it.each([...balancerRows, ...machineRows, ...templateRows, ...vmRows, ...domainRows])(
    '$kind: $name',
    ({ kind, spec, old, metadata, problems }) => {
      const admission = admissionOf(vcenterAdmission, kind);
      expect(problemsOf(admission, make(kind, spec, metadata), old && make(kind, old, metadata))).toEqual(problems);
    },
  );
});

describe('defaults', () => {
  it.each([
    ['VSphereMachine', machine(), { datacenter: '*' }],
    ['VSphereVM', machine(), { os: 'Linux' }],
    ['VSphereDeploymentZone', { failureDomain: 'f' }, { controlPlane: true }],
  ])('%s', (kind, spec, added) => {
    const object = make(kind, spec);
    admissionOf(vcenterAdmission, kind).applyDefaults(object, undefined, defaultAdmissionContext);
    expect(object['spec']).toEqual({ ...spec, ...added });
  });

  it.each([
    ['no default for stored templates', {}, false, undefined],
    ['the former default in a topology dry run', { [topologyAnnotations.dryRun]: '' }, true, 'hard'],
    ['no default in other dry runs', {}, true, undefined],
  ])('VSphereMachineTemplate: %s', (_name, annotations, dryRun, expected) => {
    const object = make('VSphereMachineTemplate', template(), { annotations });
    const context = { ...defaultAdmissionContext, dryRun };
    admissionOf(vcenterAdmission, 'VSphereMachineTemplate').applyDefaults(object, undefined, context);
    const { spec } = (object['spec'] as { template: { spec: { powerOffMode?: string } } }).template;
    expect(spec.powerOffMode).toBe(expected);
  });
});
