import type { Disposable } from '@slipway/base';
import { isReason, type KubeObject } from '@slipway/kube';
import {
  bootstrapTokenNamespace,
  clusterInfoName,
  clusterInfoNamespace,
  createClusterInfo,
  createClusterInfoAccess,
  readBootstrapTokenSecret,
  signedClusterInfo,
  signingTokens,
} from '../../auth/index.js';
import type { LoopbackClient } from '../../registry/index.js';
import type { RunAgain } from '../shared/keyed-loop.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  isTerminating,
  storageOf,
  thaw,
} from '../shared/index.js';

const secrets = storageOf(coreResources.secrets);
const configMaps = storageOf(coreResources.configMaps);

export interface ClusterInfoOptions {
  readonly authorityPem: string;
  /** Returns the server URL for joining machines. Nothing is published while it is undefined. */
  serverUrl(): string | undefined;
}

/** Publishes cluster-info, signed with each bootstrap token that is enabled for signing. Call `refresh` when the URL is known. */
export function startClusterInfoSigner(
  dependencies: ControllerDependencies,
  options: ClusterInfoOptions,
): Disposable & { refresh(): void } {
  const { store } = dependencies;
  const { scope, loop } = createController(
    dependencies,
    'cluster-info',
    async (_key, client): Promise<RunAgain | void> => {
      const info = store.get({ resource: configMaps, namespace: clusterInfoNamespace, name: clusterInfoName })?.object;
      if (info === undefined) return publish(dependencies, client, options);
      if (isTerminating(info)) return;
      const objects = store.list({ resource: secrets, namespace: bootstrapTokenNamespace }).map(({ object }) => object);
      const now = dependencies.clock.now();
      const data = signedClusterInfo(info, signingTokens(objects, now));
      if (data !== undefined) {
        const next = thaw(info);
        next['data'] = data;
        await client.update(next);
      }
      const ends = objects.flatMap((object) => readBootstrapTokenSecret(object, now)?.expiresInMs ?? []);
      if (ends.length > 0) return { afterMs: Math.min(...ends) };
    },
  );
  const wake = (): void => loop.add(clusterInfoName);
  const from = store.revision;
  scope.add(store.watch({ resource: secrets, namespace: bootstrapTokenNamespace }, from, wake));
  const place = { namespace: clusterInfoNamespace, name: clusterInfoName };
  scope.add(store.watch({ resource: configMaps, ...place }, from, wake));
  scope.add(store.watch({ resource: 'namespaces', namespace: '', name: clusterInfoNamespace }, from, wake));
  wake();
  return { refresh: wake, dispose: () => scope.dispose() };
}

async function publish(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  options: ClusterInfoOptions,
): Promise<void> {
  const url = options.serverUrl();
  const home = dependencies.store.get({ resource: 'namespaces', namespace: '', name: clusterInfoNamespace })?.object;
  if (url === undefined || home === undefined || isTerminating(home)) return;
  const { role, roleBinding } = createClusterInfoAccess();
  for (const object of [role, roleBinding, createClusterInfo(url, options.authorityPem)]) await ensure(client, object);
}

async function ensure(client: LoopbackClient, object: KubeObject): Promise<void> {
  try {
    await client.create(object);
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}
