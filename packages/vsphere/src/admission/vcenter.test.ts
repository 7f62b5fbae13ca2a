import { defaultAdmissionContext, topologyAnnotations } from '@slipway/cluster-api';
import { admissionOf, objectOfKind, problemsOf } from '@slipway/cluster-api/testing';
import type { KubeObject } from '@slipway/kube';
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
    name: 'wants to know whose load balancer it is',
    kind: 'HAProxyLoadBalancer',
    spec: balancer(),
    problems: ['metadata.labels[cluster.x-k8s.io/cluster-name]: Required value: name the Cluster that it serves'],
  },
  {
    name: 'does not change how the machine of a load balancer was made',
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
    name: 'wants static addresses with their prefix',
    kind: 'VSphereMachine',
    spec: machine({ network: { devices: [{ networkName: 'n', ipAddrs: ['10.0.0.1/24', 'fd00::1/64', '10.0.0.1'] }] } }),
    problems: [
      'spec.network.devices[0].ipAddrs[2]: Invalid value: "10.0.0.1": ip addresses should be in the CIDR format',
    ],
  },
  {
    name: 'has no patience with a machine that is switched off hard',
    kind: 'VSphereMachine',
    spec: machine({ powerOffMode: 'hard', guestSoftPowerOffTimeoutSeconds: 10 }),
    problems: [
      'spec.guestSoftPowerOffTimeoutSeconds: Invalid value: 10: should not be set unless the powerOffMode is trySoft',
    ],
  },
  {
    name: 'wants PCI devices by id or by profile',
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
    name: 'lets its identity, its way off and its devices change',
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
    name: 'lets nothing else change',
    kind: 'VSphereMachine',
    spec: machine({ numCPUs: 4 }),
    old: machine(),
    problems: ['spec: Forbidden: cannot be modified'],
  },
];

const templateRows: Row[] = [
  {
    name: 'takes neither identity nor addresses, and hardware versions that there are',
    kind: 'VSphereMachineTemplate',
    spec: template({
      providerID: 'x',
      hardwareVersion: 'vmx-0',
      network: { devices: [device, { networkName: 'n', ipAddrs: ['10.0.0.1/24'] }] },
    }),
    problems: [
      'spec.template.spec.providerID: Forbidden: cannot be set in templates',
      'spec.template.spec.network.devices[1].ipAddrs: Forbidden: cannot be set in templates',
      'spec.template.spec.hardwareVersion: Invalid value: "vmx-0": should be a hardware version: vmx-19',
    ],
  },
  {
    name: 'tries out how machines are named',
    kind: 'VSphereMachineTemplate',
    spec: template({ naming: { template: '{{ .machine.name }}_vm' } }),
    problems: [
      expect.stringMatching(
        /^spec\.template\.spec\.naming\.template: Invalid value: .*: the name "machine_vm" that it makes is none/,
      ) as string,
    ],
  },
  {
    name: 'never changes',
    kind: 'VSphereMachineTemplate',
    spec: template({ numCPUs: 4 }),
    old: template(),
    problems: [expect.stringContaining('VSphereMachineTemplate spec.template.spec field is immutable') as string],
  },
  {
    name: 'never changes',
    kind: 'VSphereClusterTemplate',
    spec: { template: { spec: { server: 'a' } } },
    old: { template: { spec: { server: 'b' } } },
    problems: [expect.stringContaining('VSphereClusterTemplate spec.template.spec field is immutable') as string],
  },
];

const vmRows: Row[] = [
  {
    name: 'keeps the names of Windows short',
    kind: 'VSphereVM',
    spec: machine({ os: 'Windows' }),
    metadata: { name: 'a-very-long-name' },
    problems: ['metadata.name: Too long: may not be more than 15 bytes'],
  },
  {
    name: 'learns what it is only once',
    kind: 'VSphereVM',
    spec: machine({ os: 'Linux', biosUUID: 'b', thumbprint: 't', bootstrapRef: { name: 's' } }),
    old: machine(),
    problems: [],
  },
  {
    name: 'does not become another one',
    kind: 'VSphereVM',
    spec: machine({ os: 'Linux', biosUUID: 'c' }),
    old: machine({ os: 'Linux', biosUUID: 'b' }),
    problems: ['spec: Forbidden: cannot be modified'],
  },
];

const domainRows: Row[] = [
  { name: 'accepts datacenters', kind: 'VSphereFailureDomain', spec: domain(), problems: [] },
  {
    name: 'wants hosts where it speaks of them',
    kind: 'VSphereFailureDomain',
    spec: domain({
      region: { name: 'r', type: 'HostGroup', tagCategory: 'c' },
      zone: { name: 'z', type: 'HostGroup', tagCategory: 'c' },
    }),
    problems: [
      'spec.region.type: Forbidden: a region cannot be a HostGroup',
      'spec.topology.hosts: Required value: a zone of type HostGroup names its hosts',
    ],
  },
  {
    name: 'wants the compute cluster of its hosts',
    kind: 'VSphereFailureDomain',
    spec: domain({}, { hosts: { vmGroupName: 'v', hostGroupName: 'h' } }),
    problems: ['spec.topology.computeCluster: Required value: hosts and zones or regions of that type are in one'],
  },
  {
    name: 'says its networks in one way',
    kind: 'VSphereFailureDomain',
    spec: domain({}, { networks: ['a'], networkConfigurations: [{ networkName: 'a' }] }),
    problems: ['spec.topology.networks: Forbidden: cannot be set together with networkConfigurations'],
  },
  {
    name: 'never changes',
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
    ['nothing for those who store', {}, false, undefined],
    ['the old default for the topology controller, which compares', { [topologyAnnotations.dryRun]: '' }, true, 'hard'],
    ['nothing for others who ask', {}, true, undefined],
  ])('VSphereMachineTemplate: %s', (_name, annotations, dryRun, expected) => {
    const object = make('VSphereMachineTemplate', template(), { annotations });
    const context = { ...defaultAdmissionContext, dryRun };
    admissionOf(vcenterAdmission, 'VSphereMachineTemplate').applyDefaults(object, undefined, context);
    const { spec } = (object['spec'] as { template: { spec: { powerOffMode?: string } } }).template;
    expect(spec.powerOffMode).toBe(expected);
  });
});
