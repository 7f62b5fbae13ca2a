import { systemRandom, VirtualClock } from '@slipway/base';
import { createCa, generatePrivateKey } from '@slipway/pki';
import { expect, it } from 'vitest';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.js';
import { RbacIndex } from '../auth/rbac/rbac-index.js';
import { ServiceAccountKeys, toSigningKey } from '../auth/index.js';
import { coreResources } from './shared/index.js';
import { installEarlyAdmission, installQuotaAdmission, startControllers } from './start-controllers.js';
import { Plane } from './testing/plane.js';

const key = await generatePrivateKey('ECDSA');
const authority = await createCa({ clock: new VirtualClock(), random: systemRandom }, { commonName: 'ca', key });

function start(plane: Plane): { dispose(): Promise<void> } {
  const index = RbacIndex.follow(plane.store);
  const early = installEarlyAdmission(plane.admission, plane);
  const quota = installQuotaAdmission(plane.admission, plane);
  const { registry, store, clock, logger, random, network } = plane;
  const controllers = startControllers({
    registry,
    store,
    clock,
    logger,
    random,
    identity: { authority },
    authorizer: new RbacAuthorizer(index),
    keys: new ServiceAccountKeys(toSigningKey(key)),
    ledger: quota.ledger,
    clusterIp: network.apiServerAddress,
    address: () => ({ ip: '192.0.2.1', port: 6443 }),
    serverUrl: () => 'https://192.0.2.1:6443',
  });
  return {
    async dispose() {
      for (const part of [controllers, quota, early, index]) await part.dispose();
    },
  };
}

it('reaches and keeps an idle state with all controllers', async () => {
  const plane = await Plane.open();
  const controllers = start(plane);
  await plane.namespace('x');
  await plane.define('Widget');
  await plane.advance(5000);
  const { revision } = plane.store;
  await plane.advance(600_000);
  expect(plane.store.revision).toBe(revision);
  expect(plane.names('namespaces')).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system', 'x']);
  expect(plane.names('configmaps', 'x')).toEqual(['kube-root-ca.crt']);
  expect(plane.names('services', 'default')).toEqual(['kubernetes']);
  await controllers.dispose();
  await plane.dispose();
});

it('writes nothing on a second start with the same data', async () => {
  const plane = await Plane.open();
  const first = start(plane);
  await plane.advance(5000);
  await first.dispose();
  const { revision } = plane.store;
  const second = start(plane);
  await plane.advance(5000);
  expect(plane.store.revision).toBe(revision);
  await second.dispose();
  await plane.dispose();
});

it('deletes a namespace with content while all controllers run', async () => {
  const plane = await Plane.open();
  const controllers = start(plane);
  await plane.namespace('x');
  await plane.client.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'x' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await plane.advance(5000);
  await plane.client.delete(coreResources.namespaces, '', 'x');
  await plane.advance(60_000);
  expect(plane.get('namespaces', '', 'x')).toBeUndefined();
  const namespaced = plane.registry.definitions().filter((definition) => definition.namespaced);
  const left = namespaced.flatMap(({ storageResource }) => plane.names(storageResource, 'x'));
  expect(left).toEqual([]);
  await controllers.dispose();
  await plane.dispose();
});
