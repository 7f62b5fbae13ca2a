import type { Disposable } from '@slipway/base';
import { bootstrapTokenNamespace, bootstrapTokenType, decideTokenCleaning } from '../../auth/index.js';
import type { RunAgain } from '../shared/keyed-loop.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  follow,
  isTerminating,
  storageOf,
} from '../shared/index.js';

/** Deletes bootstrap tokens when they expire. */
export function startTokenCleaner(dependencies: ControllerDependencies): Disposable {
  const { store, clock } = dependencies;
  const resource = storageOf(coreResources.secrets);
  const { scope, loop } = createController(
    dependencies,
    'token-cleaner',
    async (name, client): Promise<RunAgain | void> => {
      const secret = store.get({ resource, namespace: bootstrapTokenNamespace, name })?.object;
      if (secret === undefined || isTerminating(secret)) return;
      const decision = decideTokenCleaning(secret, clock.now());
      if (decision.delete) {
        const { uid = '' } = secret.metadata;
        await client.delete(coreResources.secrets, bootstrapTokenNamespace, name, { preconditions: { uid } });
      } else if (decision.againInMs !== undefined) return { afterMs: decision.againInMs };
    },
  );
  scope.add(
    follow(
      store,
      resource,
      ({ key, object, gone }) => {
        const isToken = key.namespace === bootstrapTokenNamespace && object['type'] === bootstrapTokenType;
        if (isToken && !gone) loop.add(key.name);
      },
      bootstrapTokenType,
    ),
  );
  return scope;
}
