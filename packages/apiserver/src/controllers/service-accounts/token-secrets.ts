import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { planTokenSecret, type ServiceAccountKeys, tokenSecretType } from '../../auth/index.js';
import type { LoopbackClient } from '../../registry/index.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  follow,
  placeKey,
  splitPlaceKey,
  storageOf,
  thaw,
} from '../shared/index.js';

const nameAnnotation = 'kubernetes.io/service-account.name';
const secrets = storageOf(coreResources.secrets);
const accounts = storageOf(coreResources.serviceAccounts);

export interface TokenSecretFillingOptions {
  readonly authorityPem: string;
  readonly keys: ServiceAccountKeys;
}

/** Populates Secrets of the service account token type, and deletes them when their account is deleted. */
export function startTokenSecrets(
  dependencies: ControllerDependencies,
  options: TokenSecretFillingOptions,
): Disposable {
  const { store } = dependencies;
  const { scope, loop } = createController(dependencies, 'token-secrets', async (place, client) => {
    const key = splitPlaceKey(place);
    const secret = store.get({ resource: secrets, ...key })?.object;
    if (secret === undefined) return;
    const name = secret.metadata.annotations?.[nameAnnotation] ?? '';
    const account = store.get({ resource: accounts, namespace: key.namespace, name })?.object;
    const plan = await planTokenSecret(secret, account, options);
    if (plan.kind === 'fill') await client.update(thaw(plan.object as Frozen<KubeObject>));
    else if (plan.kind === 'delete') await removeSecret(client, secret);
  });
  scope.add(
    follow(
      store,
      secrets,
      ({ key, object, gone }) => void (gone || !isTokenSecret(object) || loop.add(placeKey(key))),
      tokenSecretType,
    ),
  );
  scope.add(
    store.watch({ resource: accounts }, store.revision, ({ type, current }) => {
      if (type === 'MODIFIED') return;
      const { namespace, name } = current.key;
      for (const stored of store.list({ resource: secrets, namespace })) {
        if (!stored.mayContain(tokenSecretType) || !isTokenSecret(stored.object)) continue;
        if (stored.object.metadata.annotations?.[nameAnnotation] === name) loop.add(placeKey(stored.key));
      }
    }),
  );
  return scope;
}

function isTokenSecret(secret: Frozen<KubeObject>): boolean {
  return secret['type'] === tokenSecretType;
}

async function removeSecret(client: LoopbackClient, secret: Frozen<KubeObject>): Promise<void> {
  const { namespace = '', name = '', uid = '' } = secret.metadata;
  await client.delete(coreResources.secrets, namespace, name, { preconditions: { uid } });
}
