import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killPlanes, type Plane, runWith, slipway, startPlane } from './support/command.js';

let folder = '';
let plane: Plane;
const data = (): string => join(folder, 'data');
const on = (...args: readonly string[]): ReturnType<typeof slipway> =>
  slipway('--kubeconfig', plane.kubeconfig, ...args);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-objects-'));
  plane = await startPlane(data());
  await on(
    'create',
    'cluster',
    'demo',
    '--infrastructure',
    'dev',
    '--kubernetes-version',
    'v1.35.0',
    '--timeout',
    '2m',
  );
}, 180_000);
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true, force: true });
});

it('lists objects with the columns of the server', async () => {
  const { code, stdout } = await on('get', 'clusters', '-A');
  expect(stdout).toMatch(/^NAMESPACE {3}NAME {3}.*PHASE.*\ndefault {5}demo {3}.*Provisioned/);
  expect(code).toBe(0);
});

it('trusts the CAs of NODE_EXTRA_CA_CERTS if the kubeconfig has no CA', async () => {
  const text = readFileSync(plane.kubeconfig, 'utf8');
  const [line = '', encoded = ''] = /^ *certificate-authority-data: (\S+)\n/m.exec(text) ?? [];
  const [ca, kubeconfig] = [join(folder, 'ca.crt'), join(folder, 'without-ca.conf')];
  writeFileSync(ca, Buffer.from(encoded.replaceAll('"', ''), 'base64'));
  writeFileSync(kubeconfig, text.replace(line, ''));
  const args = ['--kubeconfig', kubeconfig, 'get', 'clusters', '-A'];
  expect(await runWith({}, ...args)).toMatchObject({ stderr: expect.stringContaining('certificate') as string });
  expect(await runWith({ env: { NODE_EXTRA_CA_CERTS: ca } }, ...args)).toMatchObject({ code: 0, stderr: '' });
});

it('prints names, objects and lists', async () => {
  const names = await on('get', 'machines', '-l', 'cluster.x-k8s.io/control-plane', '-o', 'name');
  expect(names.stdout).toMatch(/^machine\.cluster\.x-k8s\.io\/demo-\S+\n$/);
  const one = await on('-o', 'json', 'get', 'cluster/demo');
  expect(JSON.parse(one.stdout)).toMatchObject({ kind: 'Cluster', metadata: { name: 'demo' } });
  const list = await on('get', 'md,kcp', '-o', 'json');
  expect(JSON.parse(list.stdout)).toMatchObject({ kind: 'List', items: [{}, {}] });
});

it('reports an empty list, an unknown type and a missing server', async () => {
  expect((await on('get', 'machinepools')).stderr).toBe('No resources found in default namespace.\n');
  expect(await on('get', 'dogs')).toMatchObject({ code: 2, stderr: expect.stringContaining('"dogs"') as string });
  const nowhere = { KUBECONFIG: '', HOME: folder, XDG_DATA_HOME: join(folder, 'none') };
  const { stderr, code } = await runWith({ env: nowhere }, 'get', 'clusters');
  expect(stderr).toContain('slipway up');
  expect(code).toBe(1);
});

it('scales through the scale subresource', async () => {
  const { stdout } = await on('scale', 'md/demo-workers', '--replicas', '3');
  expect(stdout).toBe('machinedeployment.cluster.x-k8s.io/demo-workers scaled\n');
  const { stdout: found } = await on('get', 'md', 'demo-workers', '-o', 'json');
  expect(JSON.parse(found)).toMatchObject({ spec: { replicas: 3 } });
  expect((await on('scale', 'cluster/demo', '--replicas', '3')).stderr).toContain('slipway get md');
});

it('deletes a cluster and waits until it is deleted', async () => {
  const { code, stdout } = await on('delete', 'cluster', 'demo', '--timeout', '1m');
  expect(stdout).toMatch(/deletion requested\n[^]*cluster\.cluster\.x-k8s\.io\/demo deleted\n$/);
  expect(code).toBe(0);
}, 90_000);

it('prints the log, which a rejected second start does not change', async () => {
  const before = readFileSync(join(data(), 'slipway.log'), 'utf8');
  expect(await slipway('up', '--port', '0', '--data-dir', data())).toMatchObject({ code: 4 });
  expect(readFileSync(join(data(), 'slipway.log'), 'utf8').startsWith(before)).toBe(true);
  const { stdout } = await slipway('logs', '--data-dir', data());
  expect(stdout).toContain('INFO  Serving');
  const { stdout: last } = await slipway('logs', '--data-dir', data(), '--tail', '1', '-o', 'json');
  expect(last.trim().split('\n')).toHaveLength(1);
  expect(await slipway('logs', '--data-dir', join(folder, 'none'))).toMatchObject({ code: 3 });
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
