import { describe, expect, it } from 'vitest';
import { machineSizeOf } from './machine-size.js';

const mebibyte = 1024 ** 2;
const gibibyte = 1024 ** 3;

describe('the size of a machine', () => {
  it('has defaults', () => {
    expect(machineSizeOf(undefined)).toEqual({
      cpus: 2,
      memoryMiB: 4096,
      rootBytes: 20 * gibibyte,
      dockerBytes: 0,
      kubeletBytes: 0,
      etcdBytes: 0,
      overheadBytes: (512 + 256 + 16) * mebibyte,
    });
  });

  it.each([
    { resources: { cpu: 4 }, then: { cpus: 4 } },
    { resources: { cpu: '2500m' }, then: { cpus: 3, cpuQuotaMilli: 2500 } },
    { resources: { cpu: '100m' }, then: { cpus: 1, cpuQuotaMilli: 100 } },
    { resources: { memory: '1G' }, then: { memoryMiB: 954 } },
    { resources: { memory: '64Gi' }, then: { overheadBytes: (3933 + 256 + 16) * mebibyte } },
    { resources: { overhead: { memory: '1Gi' } }, then: { overheadBytes: gibibyte } },
    {
      resources: { dockerVolumeSize: '40Gi', kubeletVolumeSize: '0' },
      then: { dockerBytes: 40 * gibibyte, kubeletBytes: 0 },
    },
  ])('$resources', ({ resources, then }) => {
    expect(machineSizeOf({ resources })).toMatchObject(then);
  });

  it('reserves memory for QEMU in addition to the guest memory [kvm 27]', () => {
    for (const memory of ['64Mi', '1Gi', '256Gi'])
      expect(machineSizeOf({ resources: { memory } }).overheadBytes).toBeGreaterThanOrEqual(768 * mebibyte);
  });

  it('limits CPU time only if a fraction of a CPU is requested [kvm 28]', () => {
    expect(machineSizeOf({ resources: { cpu: 3 } }).cpuQuotaMilli).toBeUndefined();
  });

  it('has an etcd disk if etcd is configured to use one', () => {
    expect(machineSizeOf({ etcd: { storage: 'Disk' } }).etcdBytes).toBe(15 * gibibyte);
    expect(machineSizeOf({ etcd: { storage: 'PersistentVolume', size: '1Gi' } }).etcdBytes).toBe(0);
  });
});
