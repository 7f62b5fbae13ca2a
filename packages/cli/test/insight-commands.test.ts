import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killPlanes, type Outcome, type Plane, slipway, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-insight-'));
const machinesPath = '/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines';
let plane: Plane;
const run = (...words: readonly string[]): Promise<Outcome> => slipway(...words, '--kubeconfig', plane.kubeconfig);

beforeAll(async () => {
  plane = await startPlane(folder, '--quick-start');
  await plane.said('get nodes');
});
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

describe('insight commands', () => {
  it('describe a cluster as text and as values', async () => {
    const { stdout } = await run('describe', 'cluster', 'quick-start');
    expect(stdout).toMatch(/^NAME +REPLICAS[^]*└─Workers\n {2}└─MachineDeployment default\/quick-start-workers/);
    const tree = JSON.parse((await run('describe', 'cluster', 'quick-start', '-o', 'json')).stdout) as object;
    expect(tree).toMatchObject({ kind: 'Cluster', name: 'quick-start', condition: { status: 'True' } });
    expect((await run('describe', 'cluster', 'quick-start', '-o', 'yaml')).stdout).toContain(
      'kind: KubeadmControlPlane',
    );
  });

  it('say what to do when there is no such cluster, kind or name', async () => {
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

  it('get a kubeconfig that works', async () => {
    expect((await run('get', 'kubeconfig', 'quick-start')).stdout).toMatch(/^apiVersion: v1\nclusters:/);
  });

  it('print the timeline of a cluster', async () => {
    const timeline = JSON.parse((await run('timeline', 'quick-start', '-o', 'json')).stdout) as {
      criticalPath: object[];
    };
    expect(timeline.criticalPath.at(-1)).toMatchObject({ what: 'available' });
  });

  it('find nothing wrong', async () => {
    expect(await run('doctor')).toMatchObject({ code: 0, stdout: expect.stringContaining('0 errors, 0 warnings') });
    expect(await run('why', 'quick-start')).toMatchObject({ code: 0, stdout: expect.stringContaining('is healthy') });
  });

  it('roll out, and say how far it is', async () => {
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

  it('explain a machine that does not go, show what would leak, and let it go', async () => {
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', machinesPath);
    const items = body['items'] as { metadata: { name: string; deletionTimestamp?: string } }[];
    // One that was rolled out just now: those from before may still be on their way out.
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
    // Its controller may write between the two.
    await expect.poll(hold).toBe(200);
    await kubeRequest(plane.kubeconfig, 'DELETE', `${machinesPath}/${name}`);
    const why = async (): Promise<{ readonly code: number | null; readonly told: unknown }> => {
      const { code, stdout } = await run('why', `machine/${name}`, '-o', 'json');
      return { code, told: JSON.parse(stdout) as unknown };
    };
    await expect.poll(why).toMatchObject({
      code: 1,
      told: { root: { cause: 'ForeignFinalizer', object: { kind: 'DevMachine', name } } },
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
