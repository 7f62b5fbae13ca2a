import {
  deepEqual,
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  isCidr,
  isIp,
  parseQuantity,
  requiredField,
} from '@slipway/kube';
import type { KVMMachine } from '../api/index.js';
import { bytesOf, sizeDefaults } from '../api/machine-size.js';
import { addressProblems } from './addresses.js';

type Spec = NonNullable<KVMMachine['spec']>;

/** Moves `resourceRequirements`, the name in the first version of this provider, to `resources`. */
export function renameResources(spec: Spec): void {
  const { resourceRequirements } = spec;
  if (resourceRequirements === undefined) return;
  spec.resources = { ...resourceRequirements, ...spec.resources };
  delete spec.resourceRequirements;
}

export function defaultMachineSpec(spec: Spec): void {
  renameResources(spec);
  spec.resources ??= {};
  spec.resources.cpu ??= sizeDefaults.cpu;
  spec.resources.memory ??= sizeDefaults.memory;
  spec.resources.disk ??= sizeDefaults.disk;
}

const mebibyte = 1024 ** 2;
const memoryBytesMin = 32 * mebibyte;

export function validateMachineSpec(
  path: string,
  spec: Spec | undefined,
  { isTemplate = false }: { readonly isTemplate?: boolean } = {},
): FieldError[] {
  if (spec === undefined) return [];
  return [
    ...validateResources(`${path}.resources`, spec.resources),
    ...validateBoot(path, spec),
    ...validateVolumes(path, spec),
    ...addressProblems(`${path}.dnsServers`, spec.dnsServers),
    ...validateNetwork(`${path}.network`, spec.network),
    ...(isTemplate ? validateShared(path, spec) : []),
  ];
}

function validateResources(path: string, resources: Spec['resources']): FieldError[] {
  const errors: FieldError[] = [];
  const { cpu, memory, disk, dockerVolumeSize, kubeletVolumeSize } = resources ?? {};
  if (cpu !== undefined && parseQuantity(String(cpu)).nanos <= 0n)
    errors.push(invalidField(`${path}.cpu`, cpu, 'must be more than 0'));
  if (memory !== undefined && bytesOf(memory) < memoryBytesMin)
    errors.push(invalidField(`${path}.memory`, memory, 'must be at least 32Mi'));
  if (disk !== undefined && bytesOf(disk) <= 0) errors.push(invalidField(`${path}.disk`, disk, 'must be more than 0'));
  for (const [name, value] of Object.entries({ dockerVolumeSize, kubeletVolumeSize }))
    if (value !== undefined && bytesOf(value) < 0)
      errors.push(invalidField(`${path}.${name}`, value, 'must not be less than 0'));
  return errors;
}

function validateBoot(path: string, spec: Spec): FieldError[] {
  const errors = validateImage(path, spec);
  if (spec.accelerator === 'tcg' && /^host\b/.test(spec.cpuModel ?? ''))
    errors.push(
      invalidField(
        `${path}.cpuModel`,
        spec.cpuModel,
        'CPU model host requires accelerator kvm: choose another CPU model, or remove accelerator tcg',
      ),
    );
  if (spec.bootMode === 'kernel' && spec.firmware === 'uefi')
    errors.push(invalidField(`${path}.firmware`, 'uefi', 'not supported with boot mode kernel: use bios'));
  return errors;
}

function validateImage(path: string, spec: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const { image, imageRef } = spec;
  if (imageRef !== undefined && image?.url !== undefined)
    errors.push(forbiddenField(`${path}.imageRef`, 'cannot be set together with image.url'));
  if (image?.channel !== undefined && image.version === undefined)
    errors.push(requiredField(`${path}.image.version`, 'required with a channel'));
  const isNamed = imageRef !== undefined || image?.name !== undefined;
  if (spec.bootMode === 'kernel' && spec.kernel === undefined && !isNamed)
    errors.push(requiredField(`${path}.kernel`, 'required with boot mode kernel'));
  return errors;
}

function validateVolumes(path: string, spec: Spec): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, { mountTag, hostPath }] of (spec.hostVolumes ?? []).entries()) {
    const field = `${path}.hostVolumes[${index}]`;
    if (seen.has(mountTag)) errors.push(duplicateField(`${field}.mountTag`, mountTag));
    if (mountTag === 'etcdshare' && spec.etcd?.storage === 'HostPath')
      errors.push(duplicateField(`${field}.mountTag`, mountTag));
    if (hostPath.split('/').includes('..'))
      errors.push(invalidField(`${field}.hostPath`, hostPath, 'must not contain ..'));
    seen.add(mountTag);
  }
  const { storage, hostPath } = spec.etcd ?? {};
  if (storage === 'HostPath' && hostPath === undefined)
    errors.push(requiredField(`${path}.etcd.hostPath`, 'required with storage HostPath'));
  return errors;
}

function validateNetwork(path: string, network: Spec['network']): FieldError[] {
  const errors = [...addressProblems(`${path}.nameservers`, network?.nameservers)];
  for (const [index, address] of (network?.ipAddresses ?? []).entries())
    if (!isCidr(address))
      errors.push(
        invalidField(
          `${path}.ipAddresses[${index}]`,
          address,
          'must be an IP address with a prefix length, such as 172.30.0.11/24',
        ),
      );
  const { gateway } = network ?? {};
  if (gateway !== undefined && !isIp(gateway))
    errors.push(invalidField(`${path}.gateway`, gateway, 'must be an IP address'));
  const ports = (network?.portForwards ?? []).map(({ hostPort }) => hostPort).filter((port) => port !== undefined);
  if (new Set(ports).size < ports.length)
    errors.push(invalidField(`${path}.portForwards`, ports, 'host ports must be unique'));
  return errors;
}

/** Rejects fields in a machine template that identify a single machine, such as its provider ID. */
function validateShared(path: string, spec: Spec): FieldError[] {
  const own = {
    providerID: spec.providerID,
    'network.macAddress': spec.network?.macAddress,
    'network.ipAddresses': spec.network?.ipAddresses,
    'iscsi.initiatorName': spec.iscsi?.initiatorName,
  };
  return Object.entries(own)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => forbiddenField(`${path}.${field}`, 'identifies one machine and is not allowed in templates'));
}

/** Fields that are set once, by the controller or by the user, and are immutable afterwards. */
const onceFields = ['providerID', 'backend', 'hostName', 'failureDomain', 'iscsi', 'network'] as const;

/** Rejects changes of a machine's spec, except to `shutdown` and to fields of `onceFields` that are not set yet. */
export function validateMachineChange(path: string, spec: Spec | undefined, old: Spec | undefined): FieldError[] {
  const errors = onceFields
    .filter((field) => !keeps(spec?.[field], old?.[field]))
    .map((field) => forbiddenField(`${path}.${field}`, 'field is immutable once set'));
  const rest = (each: Spec | undefined): object =>
    Object.fromEntries(
      Object.entries(each ?? {}).filter(
        ([key]) => key !== 'shutdown' && !(onceFields as readonly string[]).includes(key),
      ),
    );
  if (!deepEqual(rest(spec), rest(old))) errors.push(forbiddenField(path, 'cannot be modified: replace the Machine'));
  return errors;
}

/** Returns whether `value` contains every value of `old` unchanged. Values that are absent in `old` may be set. */
function keeps(value: unknown, old: unknown): boolean {
  if (old === undefined) return true;
  if (Array.isArray(old) || typeof old !== 'object' || old === null) return deepEqual(value, old);
  return Object.entries(old).every(([key, inner]) =>
    keeps((value as Record<string, unknown> | undefined)?.[key], inner),
  );
}
