import { X509Certificate } from 'node:crypto';
import { vsphereClusters, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, VCenterWorld } from './vcenter-world.js';

let world: VCenterWorld;
beforeAll(async () => {
  world = await VCenterWorld.start();
});
afterAll(() => world.stop());

const ready = (name: string): Promise<unknown> => world.untilOne(vsphereVms, name, (vm) => vm.status?.ready);

describe('a vCenter with another certificate', () => {
  it('is not talked to: the cluster names the thumbprint that it met, and goes on once it is given', async () => {
    await createCluster(world, 'pinned', { thumbprint: Array.from({ length: 32 }, () => 'AA').join(':') });
    const refused = await world.untilOne(
      vsphereClusters,
      'pinned',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'False',
    );
    const { fingerprint256 } = new X509Certificate(world.vcsim.certificate);
    const { reason, message } = conditionOf(refused, 'VCenterAvailable') ?? {};
    expect(reason).toBe('VCenterUnreachable');
    expect(message).toContain(fingerprint256);
    await world.merge(vsphereClusters, 'pinned', { spec: { thumbprint: fingerprint256 } });
    await provisionCluster(world, 'pinned');
  });
});

describe('a session that vCenter ends in the middle of a clone', () => {
  it('is replaced, and there is one machine and no failure', async () => {
    await createCluster(world, 'forgotten');
    await provisionCluster(world, 'forgotten');
    const logins = async (): Promise<number> => (await world.vcsim.calls())['Login'] ?? 0;
    const before = await logins();
    await world.vcsim.fault({ method: 'CloneVM_Task', kind: 'NotAuthenticated', message: 'who are you', count: 1 });
    await createMachine(world, 'once', { cluster: 'forgotten' });
    await ready('once');
    expect(await logins()).toBe(before + 1);
    expect(await world.machineNames()).toEqual(['once']);
  });
});
