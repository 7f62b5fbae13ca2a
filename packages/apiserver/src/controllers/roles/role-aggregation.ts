import type { Disposable } from '@slipway/base';
import { asJson, type Frozen, type KubeObject } from '@slipway/kube';
import { aggregatedRules } from '../../auth/index.js';
import {
  clusterRoles,
  type ControllerDependencies,
  createController,
  follow,
  isTerminating,
  storageOf,
} from '../shared/index.js';

/** Maintains the rules of aggregated ClusterRoles. */
export function startRoleAggregation(dependencies: ControllerDependencies): Disposable {
  const { store } = dependencies;
  const resource = storageOf(clusterRoles);
  const aggregating = new Set<string>();
  const { scope, loop } = createController(dependencies, 'role-aggregation', async (name, client) => {
    const role = store.get({ resource, namespace: '', name })?.object;
    if (role === undefined || isTerminating(role)) return;
    const rules = aggregatedRules(
      role,
      store.list({ resource }).map(({ object }) => object),
    );
    if (rules === undefined) return;
    const { resourceVersion = '' } = role.metadata;
    const patch = asJson({ metadata: { resourceVersion }, rules } as unknown as KubeObject);
    await client.patch(clusterRoles, '', name, patch);
  });
  scope.add(
    follow(store, resource, ({ key, object, gone }) => {
      if (gone || !isAggregating(object)) aggregating.delete(key.name);
      else aggregating.add(key.name);
      for (const name of aggregating) loop.add(name);
    }),
  );
  return scope;
}

function isAggregating(role: Frozen<KubeObject>): boolean {
  return role['aggregationRule'] !== undefined && role['aggregationRule'] !== null;
}
