import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { killPlanes, slipway, startPlane } from './support/command.js';
import { configMapNames, createConfigMap, kubeRequest, openRequest } from './support/kube-request.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-cli-'));
});
afterEach(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => join(folder, name);

describe('a management plane', () => {
  it('serves clients with its kubeconfig, reports its status and stops', async () => {
    const plane = await startPlane(at('data'));
    expect(statSync(plane.kubeconfig).mode & 0o777).toBe(0o600);
    expect((await kubeRequest(plane.kubeconfig, 'GET', '/api/v1/namespaces')).status).toBe(200);

    const status = await slipway('status', '--data-dir', at('data'), '-o', 'json');
    expect(status.code).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({
      running: true,
      ready: true,
      pid: plane.pid,
      endpoint: plane.endpoint,
      kubernetesVersion: expect.stringMatching(/^v1\.36\./) as string,
      certificates: [{ name: 'ca' }, { name: 'apiserver' }, { name: 'admin' }],
    });
    const text = await slipway('status', '--data-dir', at('data'));
    expect(text.stdout).toContain('Slipway is running and ready');
    expect(parse((await slipway('status', '--data-dir', at('data'), '-o', 'yaml')).stdout)).toMatchObject({
      ready: true,
    });

    const down = await slipway('down', '--data-dir', at('data'));
    expect(down).toMatchObject({ code: 0, stdout: expect.stringContaining(`process ${plane.pid}`) as string });
    expect(await plane.exited).toBe(0);
    expect(existsSync(at('data/run.json'))).toBe(false);
    expect((await slipway('status', '--data-dir', at('data'))).code).toBe(3);
    expect(await slipway('down', '--data-dir', at('data'))).toMatchObject({ code: 0 });
  });

  it('serves the Cluster API resources, except with --api-only', async () => {
    const groups = async (kubeconfig: string): Promise<readonly string[]> => {
      const { body } = await kubeRequest(kubeconfig, 'GET', '/apis');
      return (body['groups'] as { name: string }[]).map(({ name }) => name).filter((name) => name.endsWith('x-k8s.io'));
    };
    const plane = await startPlane(at('data'));
    expect((await groups(plane.kubeconfig)).toSorted()).toEqual([
      'addons.cluster.x-k8s.io',
      'bootstrap.cluster.x-k8s.io',
      'cluster.x-k8s.io',
      'clusterctl.cluster.x-k8s.io',
      'controlplane.cluster.x-k8s.io',
      'infrastructure.cluster.x-k8s.io',
      'ipam.cluster.x-k8s.io',
      'operator.cluster.x-k8s.io',
      'runtime.cluster.x-k8s.io',
      'vmware.infrastructure.cluster.x-k8s.io',
    ]);
    const clusters = '/apis/cluster.x-k8s.io/v1beta1/namespaces/default/clusters';
    const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'Cluster', metadata: { name: 'c' } };
    expect((await kubeRequest(plane.kubeconfig, 'POST', clusters, cluster)).status).toBe(422);
    const alone = await startPlane(at('alone'), '--api-only');
    expect(await groups(alone.kubeconfig)).toEqual([]);
  });

  it('shows available provider upgrades in its console without network access', async () => {
    const { kubeconfig } = await startPlane(at('data'));
    const send = (method: string, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const sent = openRequest(kubeconfig, method, `/console/api/${path}`, headers);
        sent.on('response', resolve).on('error', reject);
        sent.end(method === 'POST' ? '{}' : undefined);
      });
    const session = await send('GET', 'session');
    const [cookie = ''] = session.headers['set-cookie'] ?? [];
    const { csrf } = (await json(session)) as { csrf: string };
    const answer = await send('POST', 'provider-versions', { cookie, 'x-csrf-token': csrf });
    expect(answer.statusCode).toBe(200);
    const { outlooks } = (await json(answer)) as { outlooks: { name: string }[] };
    expect(outlooks.map(({ name }) => name).toSorted()).toEqual([
      'cluster-api',
      'dev',
      'kubeadm',
      'kubeadm',
      'kvm',
      'vsphere',
    ]);
    expect(outlooks).toEqual(outlooks.map((one) => ({ ...one, next: '', unknown: '', isUnasked: false })));
  });

  it('adds its context to an existing kubeconfig', async () => {
    const other = { name: 'other', cluster: { server: 'https://other.example' } };
    writeFileSync(at('config'), JSON.stringify({ apiVersion: 'v1', kind: 'Config', clusters: [other] }));
    await startPlane(at('data'), '--kubeconfig', at('config'), '--api-only');
    const config = parse(readFileSync(at('config'), 'utf8')) as { clusters: { name: string }[] };
    expect(config.clusters.map(({ name }) => name)).toEqual(['other', 'slipway']);
    expect(await configMapNames(at('config'))).toEqual([]);
  });

  it('stops gracefully on Ctrl-C while a watch is open', async () => {
    const plane = await startPlane(at('data'));
    const watching = openRequest(plane.kubeconfig, 'GET', '/api/v1/namespaces?watch=1').end();
    const [watched] = (await once(watching, 'response')) as [IncomingMessage];
    watching.on('error', () => undefined);
    const [event] = (await once(watched, 'data')) as [Buffer];
    expect(String(event)).toContain('"ADDED"');
    const ended = once(watched.resume(), 'end');
    plane.child.kill('SIGINT');
    expect(await plane.exited).toBe(0);
    await ended;
    expect(readdirSync(at('data')).toSorted()).toEqual(['admin.conf', 'pki', 'slipway.log', 'store']);
    expect(plane.log.at(-1)).toContain('Stopped');
  });

  it('keeps acknowledged writes after kill -9, and restarts without repair', async () => {
    const first = await startPlane(at('data'));
    await createConfigMap(first.kubeconfig, 'kept');
    first.child.kill('SIGKILL');
    expect(await first.exited).toBe('SIGKILL');
    expect((await slipway('status', '--data-dir', at('data'))).code).toBe(3);
    const second = await startPlane(at('data'));
    expect(await configMapNames(second.kubeconfig)).toEqual(['kept']);
  });
});

describe('a backup', () => {
  it('of a running plane restores a consistent snapshot', async () => {
    const plane = await startPlane(at('data'));
    await createConfigMap(plane.kubeconfig, 'before');
    let writing = true;
    let written = 0;
    const writer = (async () => {
      while (writing) await createConfigMap(plane.kubeconfig, `later-${String((written += 1)).padStart(5, '0')}`);
    })();
    const backup = await slipway('backup', at('plane.backup'), '--data-dir', at('data'));
    writing = false;
    await writer;
    expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Backed up \d+ objects/) as string });
    expect(statSync(at('plane.backup')).mode & 0o777).toBe(0o600);
    await slipway('down', '--data-dir', at('data'));

    const restored = await slipway('restore', at('plane.backup'), '--data-dir', at('restored'));
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const again = await startPlane(at('restored'));
    const names = await configMapNames(again.kubeconfig);
    expect(names[0]).toBe('before');
    // The objects are created in sequence, so a consistent snapshot contains them without a gap.
    const later = names.slice(1);
    expect(later).toEqual(later.map((_, index) => `later-${String(index + 1).padStart(5, '0')}`));
    expect(later.length).toBeLessThanOrEqual(written);
    // The backup includes the CA: earlier credentials are valid for the restored plane.
    expect(readFileSync(at('restored/pki/ca.crt'), 'utf8')).toBe(readFileSync(at('data/pki/ca.crt'), 'utf8'));
    expect(await createConfigMap(again.kubeconfig, 'after')).toMatchObject({ status: 201 });
  });

  it('of a stopped plane contains all objects', async () => {
    const plane = await startPlane(at('data'));
    await createConfigMap(plane.kubeconfig, 'a');
    await slipway('down', '--data-dir', at('data'));
    expect(await slipway('backup', at('plane.backup'), '--data-dir', at('data'))).toMatchObject({ code: 0 });
    await slipway('restore', at('plane.backup'), '--data-dir', at('restored'), '--bump-revision', '0');
    expect(await configMapNames((await startPlane(at('restored'))).kubeconfig)).toEqual(['a']);
  });
});
