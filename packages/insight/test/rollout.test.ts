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
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

let plane: SimulatedPlane;
const namespace = 'rollouts';
const workers = ref('MachineDeployment', namespace, 'demo-workers');
const controlPlane = ref('KubeadmControlPlane', namespace, 'demo');
const deployment = parseRolloutTarget('MachineDeployment/demo-workers', namespace);
const kubeadm = parseRolloutTarget('kubeadmcontrolplane/demo', namespace);

beforeAll(async () => {
  plane = await startSimulatedPlane();
  await available(plane, { name: 'demo', namespace, workerStartup: { vm: '30s' } });
});
afterAll(() => plane?.stop());

describe('rollouts with the messages of clusterctl', () => {
  it.each(['machineset/x', 'machinedeployment', 'machinedeployment/a/b'])('rejects the target %s', (text) => {
    expect(() => parseRolloutTarget(text, namespace)).toThrow(/Invalid resource type|use kind\/name/);
  });

  it('pauses and resumes, and rejects to do so twice', async () => {
    for (const target of [deployment, kubeadm]) {
      await pauseRollout(plane.client, target);
      await expect(pauseRollout(plane.client, target)).rejects.toThrow('is already paused');
      await expect(restartRollout(plane.client, target, plane.clock.now())).rejects.toThrow("can't restart paused");
      await resumeRollout(plane.client, target);
      await expect(resumeRollout(plane.client, target)).rejects.toThrow('is not currently paused');
    }
    expect((await plane.get(controlPlane)).metadata.annotations?.['cluster.x-k8s.io/paused']).toBeUndefined();
  });

  it('restarts a rollout, reports its status and undoes it while it is in progress', async () => {
    expect(rolloutStatus(await plane.get(workers)).done).toBe(true);
    await plane.advance(2_000);
    await restartRollout(plane.client, deployment, plane.clock.now());
    await plane.advance(5_000);
    expect(rolloutStatus(await plane.get(workers))).toEqual({
      done: false,
      message: expect.stringContaining('Waiting for MachineDeployment "demo-workers"'),
    });
    await plane.until('it is rolled out', async () => rolloutStatus(await plane.get(workers)).done);
    await expect(undoRollout(plane.client, deployment, undefined)).rejects.toThrow('no earlier revision of');

    await plane.create({
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevMachineTemplate',
      metadata: { name: 'other', namespace },
      spec: { template: { spec: { backend: { inMemory: { vm: { provisioning: { startupDuration: '1h' } } } } } } },
    });
    await plane.merge(workers, { spec: { template: { spec: { infrastructureRef: { name: 'other' } } } } });
    await plane.advance(10_000);
    await expect(undoRollout(plane.client, deployment, 77)).rejects.toThrow('revision 77 of');
    expect(await undoRollout(plane.client, deployment, undefined)).toBe(2);
    const template = ['spec', 'template', 'spec', 'infrastructureRef', 'name'] as const;
    expect(textAt(await plane.get(workers), ...template)).toBe('demo-workers');
  });

  it('rejects a restart while a later one is scheduled', async () => {
    const after = new Date(plane.clock.now() + 3_600_000).toISOString().replace(/\.\d+/, '');
    await plane.merge(controlPlane, { spec: { rollout: { after } } });
    await expect(restartRollout(plane.client, kubeadm, plane.clock.now())).rejects.toThrow(
      "can't update KubeadmControlPlane (remove 'spec.rollout.after' first): kubeadmcontrolplane/demo",
    );
  });
});
