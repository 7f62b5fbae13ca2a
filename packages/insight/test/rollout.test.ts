import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textAt } from '@slipway/cluster-api';
import {
  parseRolloutTarget,
  pauseRollout,
  restartRollout,
  resumeRollout,
  rolloutStatus,
  undoRollout,
} from '../src/index.js';
import { ref } from './manifests.js';
import { available } from './situations.js';
import { startWorld, type World } from './world.js';

let world: World;
const namespace = 'rollouts';
const workers = ref('MachineDeployment', namespace, 'demo-workers');
const controlPlane = ref('KubeadmControlPlane', namespace, 'demo');
const deployment = parseRolloutTarget('MachineDeployment/demo-workers', namespace);
const kubeadm = parseRolloutTarget('kubeadmcontrolplane/demo', namespace);

beforeAll(async () => {
  world = await startWorld();
  await available(world, { name: 'demo', namespace, workerStartup: { vm: '30s' } });
});
afterAll(() => world?.stop());

describe('rollouts, in the words of clusterctl', () => {
  it.each(['machineset/x', 'machinedeployment', 'machinedeployment/a/b'])('rejects the target %s', (text) => {
    expect(() => parseRolloutTarget(text, namespace)).toThrow(/Invalid resource type|use kind\/name/);
  });

  it('pauses and resumes, each once', async () => {
    for (const target of [deployment, kubeadm]) {
      await pauseRollout(world.client, target);
      await expect(pauseRollout(world.client, target)).rejects.toThrow('is already paused');
      await expect(restartRollout(world.client, target, world.clock.now())).rejects.toThrow("can't restart paused");
      await resumeRollout(world.client, target);
      await expect(resumeRollout(world.client, target)).rejects.toThrow('is not currently paused');
    }
    expect((await world.get(controlPlane)).metadata.annotations?.['cluster.x-k8s.io/paused']).toBeUndefined();
  });

  it('restarts a rollout, reports its status and undoes it while it is in progress', async () => {
    expect(rolloutStatus(await world.get(workers)).done).toBe(true);
    await world.pass(2_000);
    await restartRollout(world.client, deployment, world.clock.now());
    await world.pass(5_000);
    expect(rolloutStatus(await world.get(workers))).toEqual({
      done: false,
      message: expect.stringContaining('Waiting for MachineDeployment "demo-workers"'),
    });
    await world.until('it is rolled out', async () => rolloutStatus(await world.get(workers)).done);
    await expect(undoRollout(world.client, deployment, undefined)).rejects.toThrow('no earlier revision of');

    await world.create({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevMachineTemplate',
      metadata: { name: 'other', namespace },
      spec: { template: { spec: { backend: { inMemory: { vm: { provisioning: { startupDuration: '1h' } } } } } } },
    });
    await world.merge(workers, { spec: { template: { spec: { infrastructureRef: { name: 'other' } } } } });
    await world.pass(10_000);
    await expect(undoRollout(world.client, deployment, 77)).rejects.toThrow('revision 77 of');
    expect(await undoRollout(world.client, deployment, undefined)).toBe(2);
    const template = ['spec', 'template', 'spec', 'infrastructureRef', 'name'] as const;
    expect(textAt(await world.get(workers), ...template)).toBe('demo-workers');
  });

  it('refuses a restart while one is set for later', async () => {
    const after = new Date(world.clock.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
    await world.merge(controlPlane, { spec: { rollout: { after } } });
    await expect(restartRollout(world.client, kubeadm, world.clock.now())).rejects.toThrow(
      "can't update KubeadmControlPlane (remove 'spec.rollout.after' first): kubeadmcontrolplane/demo",
    );
  });
});
