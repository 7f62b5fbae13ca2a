import { X509Certificate } from 'node:crypto';
import { vsphereClusters, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, VCenterEnvironment } from './vcenter-environment.js';

let environment: VCenterEnvironment;
beforeAll(async () => {
  environment = await VCenterEnvironment.start();
});
afterAll(() => environment.stop());

const ready = (name: string): Promise<unknown> => environment.untilOne(vsphereVms, name, (vm) => vm.status?.ready);

describe('a vCenter with another certificate', () => {
  it('is not used: the cluster reports the actual thumbprint, and continues once it is configured', async () => {
    await createCluster(environment, 'pinned', { thumbprint: Array.from({ length: 32 }, () => 'AA').join(':') });
    const refused = await environment.untilOne(
      vsphereClusters,
      'pinned',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'False',
    );
    const { fingerprint256 } = new X509Certificate(environment.vcsim.certificate);
    const { reason, message } = conditionOf(refused, 'VCenterAvailable') ?? {};
    expect(reason).toBe('VCenterUnreachable');
    expect(message).toContain(fingerprint256);
    await environment.merge(vsphereClusters, 'pinned', { spec: { thumbprint: fingerprint256 } });
    await provisionCluster(environment, 'pinned');
  });
});

describe('a session that vCenter ends in the middle of a clone', () => {
  it('is replaced, and one machine is created without a failure', async () => {
    await createCluster(environment, 'forgotten');
    await provisionCluster(environment, 'forgotten');
    const logins = async (): Promise<number> => (await environment.vcsim.calls())['Login'] ?? 0;
    const before = await logins();
    await environment.vcsim.fault({
      method: 'CloneVM_Task',
      kind: 'NotAuthenticated',
      message: 'who are you',
      count: 1,
    });
    await createMachine(environment, 'once', { cluster: 'forgotten' });
    await ready('once');
    expect(await logins()).toBe(before + 1);
    expect(await environment.machineNames()).toEqual(['once']);
  });
});
