import { formatTime } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields } from '../../kinds/shared/fields.js';
import { startNamespaceController } from '../namespaces/namespace-controller.js';
import { coreResources } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startClusterInfoSigner } from './cluster-info-signer.js';
import { startTokenCleaner } from './token-cleaner.js';

let plane: Plane;
let url: string | undefined;
let signer: ReturnType<typeof startClusterInfoSigner>;

beforeEach(async () => {
  url = 'https://10.0.0.1:6443';
  plane = await Plane.open();
  plane.run(startNamespaceController(plane));
  await plane.settle();
});

afterEach(() => plane.dispose());

async function start(): Promise<void> {
  signer = plane.run(startClusterInfoSigner(plane, { authorityPem: 'PEM', serverUrl: () => url }));
  plane.run(startTokenCleaner(plane));
  await plane.settle();
}

const keys = () => Object.keys(fields(plane.get('configmaps', 'kube-public', 'cluster-info')?.['data'])).sort();

async function token(id: string, data: Record<string, string> = {}): Promise<void> {
  const values = {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-signing': 'true',
    ...data,
  };
  await plane.client.create({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    stringData: values,
  });
  await plane.settle();
}

describe('controllers of cluster-info', () => {
  it('publishes cluster-info with anonymous read access', async () => {
    await start();
    expect(keys()).toEqual(['kubeconfig']);
    expect(plane.names('rbac.authorization.k8s.io/roles', 'kube-public')).toEqual([
      'kubeadm:bootstrap-signer-clusterinfo',
    ]);
    expect(plane.names('rbac.authorization.k8s.io/rolebindings', 'kube-public')).toHaveLength(1);
  });

  it('does not publish cluster-info before the server URL is known', async () => {
    url = undefined;
    await start();
    expect(keys()).toEqual([]);
    url = 'https://10.0.0.1:6443';
    signer.refresh();
    await plane.settle();
    expect(keys()).toEqual(['kubeconfig']);
  });

  it('adds one signature per signing token', async () => {
    await token('aaaaaa');
    await start();
    await token('bbbbbb');
    await token('cccccc', { 'usage-bootstrap-signing': 'false' });
    expect(keys()).toEqual(['jws-kubeconfig-aaaaaa', 'jws-kubeconfig-bbbbbb', 'kubeconfig']);
    await plane.client.delete(coreResources.secrets, 'kube-system', 'bootstrap-token-aaaaaa');
    await plane.settle();
    expect(keys()).toEqual(['jws-kubeconfig-bbbbbb', 'kubeconfig']);
  });

  it('replaces a forged signature', async () => {
    await start();
    await token('aaaaaa');
    const before = plane.get('configmaps', 'kube-public', 'cluster-info')?.['data'];
    await plane.client.patch(coreResources.configMaps, 'kube-public', 'cluster-info', {
      data: { 'jws-kubeconfig-aaaaaa': 'forged' },
    });
    await plane.settle();
    expect(plane.get('configmaps', 'kube-public', 'cluster-info')?.['data']).toEqual(before);
  });
});

describe('controllers of bootstrap tokens', () => {
  it('deletes expired tokens and their signatures', async () => {
    await start();
    await token('aaaaaa', { expiration: formatTime(plane.clock.now() + 60_000) });
    await token('bbbbbb');
    await plane.advance(59_000);
    expect(keys()).toEqual(['jws-kubeconfig-aaaaaa', 'jws-kubeconfig-bbbbbb', 'kubeconfig']);
    await plane.advance(2000);
    expect(plane.names('secrets', 'kube-system')).toEqual(['bootstrap-token-bbbbbb']);
    expect(keys()).toEqual(['jws-kubeconfig-bbbbbb', 'kubeconfig']);
  });
});
