import { describe, expect, it } from 'vitest';
import { type Data, isA, make } from '../../vim25/index.js';
import { renderMetadata } from '../guest/metadata.js';
import { planClone } from './clone-plan.js';
import { planRemoval } from './plan-removal.js';
import { planVm } from './plan-vm.js';
import type { VmSpec } from './vm-spec.js';
import type { VmState } from './vm-state.js';

const ref = (type: string, value: string) => ({ type, value });
const spec: VmSpec = { template: 't', network: { devices: [{ networkName: 'n', dhcp4: true }] } };

const disk = make('VirtualDisk', {
  key: 2000,
  controllerKey: 1000,
  unitNumber: 0,
  capacityInKB: 10n * 1024n * 1024n,
  backing: make('VirtualDiskFlatVer2BackingInfo', { fileName: '[ds] t.vmdk', diskMode: 'persistent' }),
});
const templateDevices: Data<'VirtualDevice'>[] = [
  make('ParaVirtualSCSIController', { key: 1000, busNumber: 0, sharedBus: 'noSharing', scsiCtlrUnitNumber: 7 }),
  disk,
  make('VirtualVmxnet3', {
    key: 4000,
    macAddress: '00:00:00:00:00:01',
    backing: make('VirtualEthernetCardNetworkBackingInfo', { deviceName: 'x' }),
  }),
  make('VirtualE1000', { key: 4001, macAddress: '00:00:00:00:00:02' }),
];
const placement = {
  template: ref('VirtualMachine', 'vm-1'),
  templateDevices,
  folder: ref('Folder', 'group-v3'),
  pool: ref('ResourcePool', 'resgroup-1'),
  datastore: ref('Datastore', 'datastore-1'),
  backings: [make('VirtualEthernetCardNetworkBackingInfo', { deviceName: 'n' })],
};
const snapshot = ref('VirtualMachineSnapshot', 'snapshot-5');
const clone = (overrides: Partial<VmSpec>, more: object = {}) =>
  planClone(
    { spec: { ...spec, ...overrides }, uid: 'uid-1', bootstrap: { data: Buffer.from('x'), format: 'cloud-config' } },
    { ...placement, ...more },
  );

describe('planClone', () => {
  it('defaults to 2 CPUs and 2 GiB [vsphere 12]', () => {
    const { config } = clone({}).clone;
    expect(config).toMatchObject({ numCPUs: 2, memoryMB: 2048n });
    expect(config?.numCoresPerSocket).toBeUndefined();
    expect(clone({ numCoresPerSocket: 0, numCPUs: 8, memoryMiB: 4096 }).clone.config).toMatchObject({
      numCPUs: 8,
      numCoresPerSocket: 0,
      memoryMB: 4096n,
    });
  });

  it('sets diskMoveType of a linked clone on the location and each disk, and its snapshot [vsphere 14]', () => {
    const plan = clone({ diskGiB: 40 }, { snapshot });
    expect(plan.mode).toBe('linkedClone');
    expect(plan.clone.snapshot).toEqual(snapshot);
    expect(plan.clone.location.diskMoveType).toBe('createNewChildDiskBacking');
    expect(plan.clone.location.disk).toMatchObject([{ diskId: 2000, diskMoveType: 'createNewChildDiskBacking' }]);
    // A linked clone shares its disk with the template, so diskGiB is ignored.
    expect(plan.clone.config?.deviceChange?.some(({ operation }) => operation === 'edit')).toBe(false);
  });

  it('creates a full clone without a snapshot, and applies diskGiB [vsphere 13]', () => {
    const plan = clone({ diskGiB: 40 });
    expect(plan.mode).toBe('fullClone');
    expect(plan.clone.location.diskMoveType).toBe('moveAllDiskBackingsAndConsolidate');
    expect(plan.clone.location.disk?.[0]?.diskMoveType).toBe('moveAllDiskBackingsAndDisallowSharing');
    const edited = plan.clone.config?.deviceChange?.find(({ operation }) => operation === 'edit')?.device;
    expect(isA(edited, 'VirtualDisk') && edited.capacityInKB).toBe(40n * 1024n * 1024n);
    expect(() => clone({ diskGiB: 5 })).toThrow("can't resize template disk down");
  });

  it('removes every network card of the template and adds one for each device in order [vsphere 15]', () => {
    const changes = clone({}).clone.config?.deviceChange ?? [];
    expect(changes.map(({ operation, device }) => [operation, device._type, device.key])).toEqual([
      ['remove', 'VirtualVmxnet3', 4000],
      ['remove', 'VirtualE1000', 4001],
      ['add', 'VirtualVmxnet3', -100],
    ]);
  });

  it('removes the vApp configuration, and sets the instance UUID and disk UUIDs [vsphere 24]', () => {
    expect(clone({}).clone.config).toMatchObject({
      vAppConfigRemoved: true,
      instanceUuid: 'uid-1',
      flags: { diskUuidEnabled: true },
    });
    expect(clone({}).clone.powerOn).toBe(false);
  });

  it('adds data disks to the free units of the controller', () => {
    const modes = ['Thin', 'Thick', 'EagerlyZeroed'] as const;
    const dataDisks = modes.map((provisioningMode, index) => ({ name: `d${index}`, sizeGiB: 1, provisioningMode }));
    const added = (clone({ dataDisks }, { snapshot }).clone.config?.deviceChange ?? []).filter(
      ({ fileOperation }) => fileOperation === 'create',
    );
    expect(added.map(({ device }) => [device.unitNumber, device.controllerKey])).toEqual([
      [1, 1000],
      [2, 1000],
      [3, 1000],
    ]);
    expect(added.map(({ device }) => device.backing)).toMatchObject([
      { thinProvisioned: true },
      { thinProvisioned: false },
      { thinProvisioned: false, eagerlyScrub: true },
    ]);
  });

  it('rounds CPU up to MHz and memory up to MiB', () => {
    const resources = {
      requests: { cpu: '1500M', memory: '1.5Gi' },
      limits: { cpu: '2G', memory: '3000000' },
      shares: { cpu: 100 },
    };
    const { config } = clone({ resources }).clone;
    expect(config?.cpuAllocation).toEqual({
      reservation: 1500n,
      limit: 2000n,
      shares: { shares: 100, level: 'custom' },
    });
    expect(config?.memoryAllocation).toEqual({ reservation: 1536n, limit: 3n });
  });
});

const cards = [make('VirtualVmxnet3', { key: 4000, macAddress: '00:00:00:00:00:01' })];
const metadata = renderMetadata('vm', spec.network, ['00:00:00:00:00:01'], new Map());
const state: VmState = {
  ref: ref('VirtualMachine', 'vm-9'),
  biosUuid: 'b',
  hardwareVersion: 'vmx-15',
  powerState: 'poweredOff',
  devices: [disk, ...cards],
  metadata,
  nics: [],
  toolsRunning: false,
  stateChangeSupported: false,
};
const around = { name: 'vm', pools: new Map() };
const group = { cluster: ref('ClusterComputeResource', 'domain-c1'), name: 'g', members: [] };

describe('planVm', () => {
  const rows: { name: string; spec?: Partial<VmSpec>; state?: Partial<VmState>; around?: object; step: object }[] = [
    {
      name: 'upgrades the hardware version first',
      spec: { hardwareVersion: 'vmx-17' },
      state: { metadata: '' },
      step: { type: 'upgradeHardware', version: 'vmx-17' },
    },
    { name: 'keeps a newer hardware version', spec: { hardwareVersion: 'vmx-13' }, step: { type: 'powerOn' } },
    {
      name: 'adds PCI devices while the VM is powered off',
      spec: { pciDevices: [{ deviceId: 1, vendorId: 2 }] },
      step: { type: 'addPciDevices' },
    },
    {
      name: 'reports missing PCI devices while the VM is powered on',
      spec: { pciDevices: [{ deviceId: 1, vendorId: 2 }] },
      state: { powerState: 'poweredOn' },
      step: { type: 'pciDevicesDetached' },
    },
    {
      name: 'waits for MAC addresses [vsphere 17]',
      state: { devices: [disk] },
      step: { type: 'waitForCards' },
    },
    { name: 'waits for IPAM addresses', around: { pools: undefined }, step: { type: 'waitForAddresses' } },
    {
      name: 'writes metadata before power-on [vsphere 17]',
      state: { metadata: '' },
      step: { type: 'setMetadata', text: metadata },
    },
    {
      name: 'sets the storage policy in a separate reconcile [vsphere 25]',
      around: { policy: { id: 'p', diskKeys: [2000] } },
      step: { type: 'setStoragePolicy', id: 'p', diskKeys: [2000] },
    },
    {
      name: 'does not change the storage policy of a running VM [vsphere 26]',
      state: { powerState: 'poweredOn' },
      around: { policy: { id: 'p', diskKeys: [2000] } },
      step: { type: 'ready' },
    },
    { name: 'joins its VM group', around: { group, module: { id: 'm', member: false } }, step: { type: 'joinGroup' } },
    {
      name: 'joins its cluster module before power-on [vsphere 26]',
      around: { module: { id: 'm', member: false } },
      step: { type: 'joinModule', id: 'm' },
    },
    { name: 'powers on', step: { type: 'powerOn' } },
    {
      name: 'reports an unexpected power state for a suspended VM [vsphere 27]',
      state: { powerState: 'suspended' },
      step: { type: 'badPowerState', powerState: 'suspended' },
    },
    { name: 'is ready', state: { powerState: 'poweredOn' }, step: { type: 'ready' } },
  ];
  it.each(rows)('$name', (row) => {
    const found = planVm({ ...spec, ...row.spec }, { ...state, ...row.state }, { ...around, ...row.around });
    expect(found).toMatchObject(row.step);
  });

  it('matches PCI devices by their backing', () => {
    const pciDevices = [{ deviceId: 1, vendorId: 2 }, { vGPUProfile: 'grid' }];
    const attached = [
      make('VirtualPCIPassthrough', {
        key: 13000,
        backing: make('VirtualPCIPassthroughVmiopBackingInfo', { vgpu: 'grid' }),
      }),
      make('VirtualPCIPassthrough', {
        key: 13001,
        backing: make('VirtualPCIPassthroughDynamicBackingInfo', {
          deviceName: '',
          allowedDevice: [{ deviceId: 1, vendorId: 2 }],
        }),
      }),
    ];
    const devices = [...state.devices, ...attached];
    expect(planVm({ ...spec, pciDevices }, { ...state, devices }, around).type).toBe('powerOn');
  });
});

describe('planRemoval', () => {
  const on = { ...state, powerState: 'poweredOn' };
  const tools = { toolsRunning: true, stateChangeSupported: true };
  const soft = (reason: string, ageSeconds: number) => ({ reason, sinceMs: 1_000_000 - ageSeconds * 1000 });
  it.each([
    { name: 'destroys a VM that is powered off', spec: {}, state, step: { type: 'destroy' } },
    {
      name: 'destroys a suspended VM [vsphere 27]',
      spec: {},
      state: { ...state, powerState: 'suspended' },
      step: { type: 'destroy' },
    },
    { name: 'powers off by default', spec: {}, state: on, step: { type: 'powerOff' } },
    {
      name: 'shuts down the guest',
      spec: { powerOffMode: 'soft' },
      state: { ...on, ...tools },
      step: { type: 'shutDownGuest' },
    },
    {
      name: 'powers off immediately if the guest tools do not run',
      spec: { powerOffMode: 'trySoft' },
      state: on,
      step: { type: 'powerOff' },
    },
    {
      name: 'waits for the guest tools in soft mode [vsphere 28]',
      spec: { powerOffMode: 'soft' },
      state: on,
      step: { type: 'guestCannotShutDown' },
    },
    {
      name: 'shuts down the guest once its tools run',
      spec: { powerOffMode: 'soft' },
      state: { ...on, ...tools },
      soft: soft('Failed', 900),
      step: { type: 'shutDownGuest' },
    },
    {
      name: 'waits without a limit in soft mode [vsphere 28]',
      spec: { powerOffMode: 'soft' },
      state: { ...on, ...tools },
      soft: soft('InProgress', 9000),
      step: { type: 'waitForGuest' },
    },
    {
      name: 'waits for the timeout since lastTransitionTime of the condition [vsphere 28]',
      spec: { powerOffMode: 'trySoft' },
      state: { ...on, ...tools },
      soft: soft('InProgress', 100),
      step: { type: 'waitForGuest', ms: 200_000 },
    },
    {
      name: 'powers off after the timeout',
      spec: { powerOffMode: 'trySoft', guestSoftPowerOffTimeoutSeconds: 60 },
      state: { ...on, ...tools },
      soft: soft('InProgress', 60),
      step: { type: 'powerOff' },
    },
  ] as const)('$name', (row) => {
    expect(planRemoval(row.spec, row.state, 'soft' in row ? row.soft : undefined, 1_000_000)).toEqual(row.step);
  });
});
