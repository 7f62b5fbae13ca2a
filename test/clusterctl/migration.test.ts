import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { documentedCommands } from '../../scripts/documented-commands/documented-commands.js';
import { peerBinary } from '../support/peer-process.js';
import { type RealKubeApiserver, startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { runCommand } from '../support/run-command.js';
import { writeUpstreamReleases } from './upstream-releases.js';
import { defineCertManager, openWorkbench, succeeded, type Workbench } from './workbench.js';

let server: RealKubeApiserver;
let workbench: Workbench;
let upstream = '';
beforeAll(async () => {
  server = await startRealKubeApiserver({ controllerManager: true });
  workbench = await openWorkbench(server.kubeconfigFile);
  upstream = writeUpstreamReleases(join(workbench.folder, 'upstream'));
});
afterAll(async () => {
  workbench.dispose();
  await server.stop();
});

const labels = ['bootstrap-kubeadm', 'cluster-api', 'control-plane-kubeadm'];

/** Returns the command on the migration page that starts with these words. */
function documented(words: string): string {
  const found = documentedCommands().find(
    ({ page, command }) => page === 'docs/migration/clusterctl.md' && command.startsWith(words),
  );
  if (found === undefined) throw new Error(`the page has no command ${words}`);
  return found.command;
}

/** Runs stock clusterctl with upstream's releases. */
async function clusterctl(...args: readonly string[]): Promise<string> {
  const env = { HOME: workbench.folder, CLUSTERCTL_DISABLE_VERSIONCHECK: 'true', KUBECONFIG: server.kubeconfigFile };
  return succeeded(await runCommand(peerBinary('clusterctl'), ['--config', upstream, ...args], { env }));
}

async function columns(kind: string, path: string): Promise<string[]> {
  const text = await workbench.kubectl(['get', kind, '-A', '-o', `jsonpath={range .items[*]}{${path}}{"\\n"}{end}`]);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .sort();
}

/** Writes an object without webhooks: the managers do not run here, so retry until the server no longer calls them. */
async function writtenWithoutWebhooks(object: object): Promise<void> {
  for (const kind of ['validatingwebhookconfigurations', 'mutatingwebhookconfigurations'])
    await workbench.kubectl(['delete', kind, '--all']);
  const write = (): Promise<string> => workbench.kubectl(['apply', '-f', '-'], { input: JSON.stringify(object) });
  await vi.waitFor(write, { timeout: 120_000, interval: 200 });
}

describe('a management cluster of stock providers', () => {
  let uid = '';

  it('contains a cluster', async () => {
    await defineCertManager(workbench);
    await clusterctl('init');
    expect(await columns('providers', '.version')).toEqual(labels.map(() => 'v1.14.2'));
    expect(await columns('certificates', '.metadata.name')).toHaveLength(3);
    const cluster = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata: { name: 'kept' } };
    const spec = { controlPlaneEndpoint: { host: 'kept.test', port: 6443 } };
    await writtenWithoutWebhooks({ ...cluster, spec });
    [uid = ''] = await columns('clusters', '.metadata.uid');
  });

  it('is upgraded to the providers of Slipway', async () => {
    const plan = succeeded(await workbench.slipway(['upgrade', 'plan']));
    expect(plan).toMatch(/cluster-api +capi-system +CoreProvider +v1\.14\.2 +v1\.14\.2\+slipway\.0\.1\.0/);
    const [, ...args] = documented('slipway upgrade apply').split(' ');
    const reported = succeeded(await workbench.slipway(args));
    expect(reported).toContain('Scaling down cluster-api v1.14.2 in capi-system');
    expect(await columns('providers', '.version')).toEqual(labels.map(() => 'v1.14.2+slipway.0.1.0'));
    expect(await columns('deployments', '.spec.template.spec.containers[0].command[0]')).toEqual(
      labels.map(() => 'slipway'),
    );
  });

  it('keeps its clusters, and no object of the stock managers', async () => {
    expect(await columns('clusters', '.metadata.uid')).toEqual([uid]);
    expect(await columns('certificates', '.metadata.name')).toEqual([]);
    expect(await columns('crd', String.raw`.metadata.annotations.cert-manager\.io/inject-ca-from`)).toEqual([]);
    const roles = (await columns('clusterroles', '.metadata.name')).filter((name) => name.startsWith('capi-'));
    expect(roles.every((name) => /-system-(aggregated-)?manager-role$/.test(name))).toBe(true);
  });

  it('is migrated back by stock clusterctl', async () => {
    const [, ...words] = documented('clusterctl upgrade apply').split(' ');
    await clusterctl(...words);
    expect(await columns('providers', '.version')).toEqual(labels.map(() => 'v1.14.2'));
    expect(await columns('deployments', '.spec.template.spec.containers[0].command[0]')).toEqual(
      labels.map(() => '/manager'),
    );
    expect(await columns('clusters', '.metadata.uid')).toEqual([uid]);
    expect(await columns('certificates', '.metadata.name')).toHaveLength(3);
  });
});
