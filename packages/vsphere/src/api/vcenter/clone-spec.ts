import {
  atomicList,
  boolean,
  enumeration,
  int32,
  int64,
  list,
  map,
  mapList,
  object,
  optional,
  quantity,
  string,
} from '@slipway/kube/kit';
import { text, texts } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';
import {
  cloneDescriptions,
  dataDiskDescriptions,
  pciDeviceDescriptions,
  powerOffModeDescription,
  powerOffTimeoutDescription,
} from './clone-descriptions.js';
import { networkSpec, networkSpecV1Beta1 } from './network.js';

export const powerOffModes = ['hard', 'soft', 'trySoft'] as const;
export const cloneModes = ['fullClone', 'linkedClone'] as const;
const provisioningModes = ['Thin', 'Thick', 'EagerlyZeroed'] as const;

const limits = object(
  {
    cpu: optional(quantity({ description: 'Maximum CPU frequency in Hz: 2G is 2000 MHz. Unlimited if not set.' })),
    memory: optional(quantity({ description: 'Maximum memory in bytes: 4Gi is 4096 MiB. Unlimited if not set.' })),
  },
  { minProperties: 1, description: 'Maximum CPU and memory of the virtual machine.' },
);

const requests = object(
  {
    cpu: optional(quantity({ description: 'Reserved CPU frequency in Hz: 2G is 2000 MHz. Defaults to 0.' })),
    memory: optional(quantity({ description: 'Reserved memory in bytes: 4Gi is 4096 MiB. Defaults to 0.' })),
  },
  { minProperties: 1, description: 'CPU and memory that are reserved for the virtual machine.' },
);

const shares = object(
  {
    cpu: optional(int32({ minimum: 1, description: 'CPU shares, relative to those of other virtual machines.' })),
    memory: optional(int32({ minimum: 1, description: 'Memory shares, relative to those of other virtual machines.' })),
  },
  { minProperties: 1, description: 'Weight of the virtual machine when the host or resource pool is overcommitted.' },
);

const resources = object(
  { limits: optional(limits), requests: optional(requests), shares: optional(shares) },
  { minProperties: 1 },
);

const encryption = {
  cryptoKeyID: optional(text(128)),
  cryptoProfile: optional(text(128)),
  ftEncryptionMode: optional(
    enumeration(['ftEncryptionDisabled', 'ftEncryptionOpportunistic', 'ftEncryptionRequired']),
  ),
  migrateEncryption: optional(enumeration(['disabled', 'opportunistic', 'required'])),
} as const;

/** How a virtual machine is cloned from a template. VSphereMachines, VSphereVMs and HAProxyLoadBalancers share it. */
export const cloneSpec = withDescriptions(
  {
    ...encryption,
    additionalDisksGiB: optional(atomicList(int32(), { maxItems: 128 })),
    cloneMode: optional(enumeration(cloneModes)),
    customVMXKeys: optional(map(string())),
    dataDisks: optional(
      mapList(
        object(
          withDescriptions(
            {
              name: text(1024),
              provisioningMode: optional(enumeration(provisioningModes)),
              sizeGiB: int32({ minimum: 1 }),
            },
            dataDiskDescriptions,
          ),
        ),
        ['name'],
        { maxItems: 29 },
      ),
    ),
    datacenter: optional(text(2048)),
    datastore: optional(text(2048)),
    diskGiB: optional(int32({ minimum: 1 })),
    folder: optional(text(2048)),
    hardwareVersion: optional(text(128)),
    memoryMiB: optional(int64({ minimum: 1 })),
    nestedHV: optional(boolean()),
    network: networkSpec,
    numCPUs: optional(int32({ minimum: 2 })),
    numCoresPerSocket: optional(int32({ minimum: 0 })),
    os: optional(text(128)),
    pciDevices: optional(
      atomicList(
        object(
          withDescriptions(
            {
              customLabel: optional(text(1024)),
              deviceId: optional(int32()),
              vGPUProfile: optional(text(1024)),
              vendorId: optional(int32()),
            },
            pciDeviceDescriptions,
          ),
        ),
        { maxItems: 128 },
      ),
    ),
    resourcePool: optional(text(2048)),
    resources: optional(resources),
    server: optional(text(1024)),
    snapshot: optional(text(1024)),
    storagePolicyName: optional(text(1024)),
    tagIDs: optional(texts(128, 1024)),
    template: text(2048),
    thumbprint: optional(text(1024)),
  },
  cloneDescriptions,
);

/** How the virtual machine is powered off. */
export const powerOff = {
  guestSoftPowerOffTimeoutSeconds: optional(
    int32({ minimum: 1, description: `${powerOffTimeoutDescription} In seconds; defaults to 300.` }),
  ),
  powerOffMode: optional(enumeration(powerOffModes, { description: powerOffModeDescription })),
} as const;

export const powerOffV1Beta1 = {
  guestSoftPowerOffTimeout: optional(
    string({ description: `${powerOffTimeoutDescription} A duration such as 5m, which is the default.` }),
  ),
  powerOffMode: optional(enumeration(powerOffModes, { default: 'hard', description: powerOffModeDescription })),
} as const;

export const cloneSpecV1Beta1 = withDescriptions(
  {
    ...encryption,
    additionalDisksGiB: optional(list(int32())),
    cloneMode: optional(string()),
    customVMXKeys: optional(map(string())),
    dataDisks: optional(
      mapList(
        object(
          withDescriptions(
            {
              name: string(),
              provisioningMode: optional(enumeration(provisioningModes)),
              sizeGiB: int32(),
            },
            dataDiskDescriptions,
          ),
        ),
        ['name'],
        { maxItems: 29 },
      ),
    ),
    datacenter: optional(string()),
    datastore: optional(string()),
    diskGiB: optional(int32()),
    folder: optional(string()),
    hardwareVersion: optional(string()),
    memoryMiB: optional(int64()),
    nestedHV: optional(boolean()),
    network: networkSpecV1Beta1,
    numCPUs: optional(int32()),
    numCoresPerSocket: optional(int32()),
    os: optional(string()),
    pciDevices: optional(
      list(
        object(
          withDescriptions(
            {
              customLabel: optional(string()),
              deviceId: optional(int32()),
              vGPUProfile: optional(string()),
              vendorId: optional(int32()),
            },
            pciDeviceDescriptions,
          ),
        ),
      ),
    ),
    resourcePool: optional(string()),
    resources: optional(resources),
    server: optional(string()),
    snapshot: optional(string()),
    storagePolicyName: optional(string()),
    tagIDs: optional(list(string())),
    template: string({ minLength: 1 }),
    thumbprint: optional(string()),
  },
  cloneDescriptions,
);
