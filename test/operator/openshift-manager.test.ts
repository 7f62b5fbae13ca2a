import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Scope, systemClock, systemRandom } from '@slipway/base';
import { type Frozen, toCustomResourceDefinition } from '@slipway/kube';
import {
  type ClusterOperator,
  clusterOperators,
  featureGates,
  findPlatform,
  openShiftKinds,
  type Platform,
  standInAssets,
  standInKinds,
} from '@slipway/operator';
import { ensureDefinitions } from '@slipway/plane';
import {
  connectionOf,
  createHttpClient,
  deployments,
  type HttpClient,
  parseKubeconfig,
  secrets,
} from '@slipway/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../packages/operator/test/operator-under-test.js';
import { freePorts, type PeerProcess, startPeer } from '../support/peer-process.js';
import { startRealKubeApiserver } from '../support/real-kube-apiserver.js';
import { infraName, seed } from './openshift-server.js';

const bundle = fileURLToPath(new URL('../../packages/cli/dist/slipway.mjs', import.meta.url));
const namespace = 'openshift-cluster-api';
const available = {
  status: {
    replicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    conditions: [{ type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable' }],
  },
};

describe('slipway manager --openshift-releases', () => {
  const scope = new Scope();
  let folder: string;
  let client: HttpClient;
  let manager: PeerProcess;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'openshift-manager-'));
    scope.defer(() => rmSync(folder, { recursive: true, force: true }));
    const server = await startRealKubeApiserver({
      controllerManager: true,
      controllerManagerFlags: () => ({ controllers: '*,-deployment-controller' }),
    });
    scope.defer(() => server.stop());
    client = createHttpClient(connectionOf(parseKubeconfig(server.kubeconfig)));
    scope.defer(() => client.close());
    const platform = findPlatform('AWS') as Platform;
    const definitions = [...openShiftKinds, ...standInKinds(platform)].map((kind) => toCustomResourceDefinition(kind));
    await ensureDefinitions(client, definitions, { clock: systemClock, random: systemRandom });
    await seed(client, platform);
    writeReleases(join(folder, 'releases'));
    writeFileSync(join(folder, 'kubeconfig'), server.kubeconfig, { mode: 0o600 });
    const [port = 0] = await freePorts(1);
    const args = ['--openshift-releases', join(folder, 'releases'), '--kubeconfig', join(folder, 'kubeconfig')];
    const webhooks = [
      '--webhook-host',
      '127.0.0.1',
      '--webhook-port',
      `${port}`,
      '--webhook-url',
      `https://127.0.0.1:${port}`,
    ];
    const quiet = ['--install-crds', '--health-addr', '0', '--diagnostics-address', '0', '--log-format', 'json'];
    manager = startPeer(process.execPath, [bundle, 'manager', ...args, ...webhooks, ...quiet], {
      RELEASE_VERSION: '4.20.0',
    });
    scope.defer(() => manager.stop());
  });
  afterAll(() => scope.dispose());

  it('reports, installs the providers of its folder once the gate is open, and keeps a kubeconfig', async () => {
    const key = { namespace: '', name: 'cluster-api' };
    const isAvailable = ({ status }: Frozen<ClusterOperator>): boolean =>
      status?.conditions?.some((each) => each.type === 'Available' && each.status === 'True') === true;
    const idle = await until(client, clusterOperators, key, isAvailable);
    expect(idle.status?.versions).toContainEqual({ name: 'operator', version: '4.20.0' });
    const patch = { spec: { featureSet: 'TechPreviewNoUpgrade' } };
    await client.patch(featureGates, { namespace: '', name: 'cluster' }, { type: 'merge', patch });
    for (const name of ['capi-controller-manager', 'aws-controller-manager']) {
      const { spec } = await until(client, deployments, { namespace, name }, () => true);
      // Of the payload's images, not of those that the releases name.
      expect(spec?.template.spec?.containers.map(({ image }) => image)).not.toContain('to.be/replaced:v99');
      // Nobody runs pods here, and the second provider waits for the first.
      await client.patch(
        deployments,
        { namespace, name },
        { type: 'merge', patch: available },
        { subresource: 'status' },
      );
    }
    await until(
      client,
      secrets,
      { namespace, name: `${infraName}-kubeconfig` },
      ({ data }) => data?.['value'] !== undefined,
    );
  });
});

describe('a folder of releases', () => {
  it('is refused without Cluster API in it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'openshift-manager-'));
    const manager = startPeer(process.execPath, [bundle, 'manager', '--openshift-releases', folder]);
    const [told] = await manager.said(/holds no release of Cluster API[\s\S]*components\.yaml/);
    await manager.stop();
    expect(told).toContain('metadata.yaml and core-components.yaml');
    rmSync(folder, { recursive: true, force: true });
  });
});

function writeReleases(folder: string): void {
  const { core, infrastructure } = standInAssets();
  const write = (label: string, file: string, { version, metadata, components }: typeof core): void => {
    const release = join(folder, label, version);
    mkdirSync(release, { recursive: true });
    writeFileSync(join(release, 'metadata.yaml'), metadata);
    writeFileSync(join(release, file), components);
  };
  write('cluster-api', 'core-components.yaml', core);
  for (const [name, assets] of infrastructure)
    write(`infrastructure-${name}`, 'infrastructure-components.yaml', assets);
}
