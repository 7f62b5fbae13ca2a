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
import { networkSpec, networkSpecV1Beta1 } from './network.js';

export const powerOffModes = ['hard', 'soft', 'trySoft'] as const;
export const cloneModes = ['fullClone', 'linkedClone'] as const;
const provisioningModes = ['Thin', 'Thick', 'EagerlyZeroed'] as const;

const amounts = object({ cpu: optional(quantity()), memory: optional(quantity()) }, { minProperties: 1 });

const resources = object(
  {
    limits: optional(amounts),
    requests: optional(amounts),
    shares: optional(
      object({ cpu: optional(int32({ minimum: 1 })), memory: optional(int32({ minimum: 1 })) }, { minProperties: 1 }),
    ),
  },
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

/** How a virtual machine is made from a template: said in VSphereMachines and VSphereVMs alike. */
export const cloneSpec = {
  ...encryption,
  additionalDisksGiB: optional(atomicList(int32(), { maxItems: 128 })),
  cloneMode: optional(enumeration(cloneModes)),
  customVMXKeys: optional(map(string())),
  dataDisks: optional(
    mapList(
      object({
        name: text(1024),
        provisioningMode: optional(enumeration(provisioningModes)),
        sizeGiB: int32({ minimum: 1 }),
      }),
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
      object({
        customLabel: optional(text(1024)),
        deviceId: optional(int32()),
        vGPUProfile: optional(text(1024)),
        vendorId: optional(int32()),
      }),
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
} as const;

/** How it is switched off. */
export const powerOff = {
  guestSoftPowerOffTimeoutSeconds: optional(int32({ minimum: 1 })),
  powerOffMode: optional(enumeration(powerOffModes)),
} as const;

export const powerOffV1Beta1 = {
  guestSoftPowerOffTimeout: optional(string()),
  powerOffMode: optional(enumeration(powerOffModes, { default: 'hard' })),
} as const;

export const cloneSpecV1Beta1 = {
  ...encryption,
  additionalDisksGiB: optional(list(int32())),
  cloneMode: optional(string()),
  customVMXKeys: optional(map(string())),
  dataDisks: optional(
    mapList(
      object({
        name: string(),
        provisioningMode: optional(enumeration(provisioningModes)),
        sizeGiB: int32(),
      }),
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
      object({
        customLabel: optional(string()),
        deviceId: optional(int32()),
        vGPUProfile: optional(string()),
        vendorId: optional(int32()),
      }),
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
} as const;
