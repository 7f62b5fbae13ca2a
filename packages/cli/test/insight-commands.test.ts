import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Outcome, type Plane, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-insight-'));
const machinesPath = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
let plane: Plane;
const run = (...args: readonly string[]): Promise<Outcome> => slipway(...args, '--kubeconfig', plane.kubeconfig);

beforeAll(async () => {
  plane = await startPlane(folder, '--quick-start');
  await plane.waitForOutput('get nodes');
});
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

describe('commands on a running management plane', () => {
  it('describe cluster prints a tree, JSON and YAML', async () => {
    const { stdout } = await run('describe', 'cluster', 'quick-start');
    expect(stdout).toMatch(/^NAME +REPLICAS[^]*└─Workers\n {2}└─MachineDeployment default\/quick-start-workers/);
    const tree = JSON.parse((await run('describe', 'cluster', 'quick-start', '-o', 'json')).stdout) as object;
    expect(tree).toMatchObject({ kind: 'Cluster', name: 'quick-start', condition: { status: 'True' } });
    expect((await run('describe', 'cluster', 'quick-start', '-o', 'yaml')).stdout).toContain(
      'kind: KubeadmControlPlane',
    );
  });

  it('commands report an unknown cluster, type and name', async () => {
    const missing = await run('describe', 'cluster', 'unknown');
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Cluster unknown not found in namespace default'),
    });
    expect((await run('why', 'teapot/x')).stderr).toContain('the server does not have a resource type "teapot"');
    expect((await run('why', 'machine/x')).stderr).toContain('Machine x not found in namespace default');
    expect(await run('why', 'a/b/c')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not an object reference'),
    });
    expect((await run('get', 'kubeconfig', 'unknown')).stderr).toContain('"unknown-kubeconfig" not found');
    expect((await run('describe', 'cluster', 'x', '--show-conditions', 'a, b')).code).toBe(2);
  });

  it('get kubeconfig prints a kubeconfig', async () => {
    expect((await run('get', 'kubeconfig', 'quick-start')).stdout).toMatch(/^apiVersion: v1\nclusters:/);
  });

  it('timeline prints the critical path of a cluster', async () => {
    const timeline = JSON.parse((await run('timeline', 'quick-start', '-o', 'json')).stdout) as {
      criticalPath: object[];
    };
    expect(timeline.criticalPath.at(-1)).toMatchObject({ what: 'available' });
  });

  it('doctor and why report no problem of a healthy cluster', async () => {
    expect(await run('doctor')).toMatchObject({ code: 0, stdout: expect.stringContaining('0 errors, 0 warnings') });
    expect(await run('why', 'quick-start')).toMatchObject({ code: 0, stdout: expect.stringContaining('is healthy') });
  });

  it('rollout pauses, resumes, restarts and reports the status', async () => {
    const target = 'machinedeployment/quick-start-workers';
    expect((await run('rollout', 'pause', target)).stdout).toBe(`${target} paused\n`);
    expect(await run('rollout', 'pause', target)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already paused'),
    });
    expect((await run('rollout', 'resume', target)).code).toBe(0);
    expect((await run('rollout', 'restart', target)).code).toBe(0);
    const status = await run('rollout', 'status', target, '--timeout', '100s');
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('successfully rolled out') });
  });

  it('why explains a stuck Machine, and unblock lists the leaked resources and releases it', async () => {
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', machinesPath);
    const items = body['items'] as { metadata: { name: string; deletionTimestamp?: string } }[];
    // A machine of the last rollout is used: older ones may still be in deletion.
    const stays = items.find(
      ({ metadata }) => metadata.name.includes('workers') && metadata.deletionTimestamp === undefined,
    );
    const name = stays?.metadata.name ?? '';
    const devMachine = `/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/default/devmachines/${name}`;
    const hold = async (): Promise<number> => {
      const object = (await kubeRequest(plane.kubeconfig, 'GET', devMachine)).body;
      const metadata = object['metadata'] as { finalizers: string[] };
      const held = { ...metadata, finalizers: [...metadata.finalizers, 'example.com/hold'] };
      return (await kubeRequest(plane.kubeconfig, 'PUT', devMachine, { ...object, metadata: held })).status;
    };
    // Retried on conflict: the controller may update the object in the meantime.
    await expect.poll(hold).toBe(200);
    await kubeRequest(plane.kubeconfig, 'DELETE', `${machinesPath}/${name}`);
    const why = async (): Promise<{ readonly code: number | null; readonly output: unknown }> => {
      const { code, stdout } = await run('why', `machine/${name}`, '-o', 'json');
      return { code, output: JSON.parse(stdout) as unknown };
    };
    await expect.poll(why).toMatchObject({
      code: 1,
      output: { root: { cause: 'ForeignFinalizer', object: { kind: 'DevMachine', name } } },
    });

    const dry = await run('unblock', `devmachine/${name}`, '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining(`the virtual machine in-memory://${name}`) });
    expect(await run('unblock', `devmachine/${name}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--yes'),
    });
    expect((await run('unblock', `devmachine/${name}`, '--yes', '--reason', 'the host is gone')).code).toBe(0);
    const events = (await kubeRequest(plane.kubeconfig, 'GET', '/api/v1/namespaces/default/events')).body['items'];
    expect(events).toContainEqual(
      expect.objectContaining({ reason: 'Unblocked', message: expect.stringContaining('the host is gone') }),
    );
    expect((await run('unblock', 'cluster/quick-start')).stderr).toContain('is not being deleted');
  });
});
