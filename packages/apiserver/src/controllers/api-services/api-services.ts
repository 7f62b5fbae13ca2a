import type { Disposable } from '@slipway/base';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import type { Registry } from '../../contract/index.js';
import {
  apiServices,
  type ControllerDependencies,
  createController,
  follow,
  isTerminating,
  storageOf,
  thaw,
} from '../shared/index.js';

const managedLabel = 'kube-aggregator.kubernetes.io/automanaged';
const ownGroup = 'apiregistration.k8s.io';

/** Upstream's group priorities in discovery. */
const groupPriorities: Readonly<Record<string, number>> = {
  '': 18_000,
  apps: 17_800,
  'events.k8s.io': 17_750,
  'authentication.k8s.io': 17_700,
  'authorization.k8s.io': 17_600,
  autoscaling: 17_500,
  batch: 17_400,
  'certificates.k8s.io': 17_300,
  'networking.k8s.io': 17_200,
  policy: 17_100,
  'rbac.authorization.k8s.io': 17_000,
  'storage.k8s.io': 16_800,
  'apiextensions.k8s.io': 16_700,
  'admissionregistration.k8s.io': 16_700,
  'scheduling.k8s.io': 16_600,
  'coordination.k8s.io': 16_500,
  'node.k8s.io': 16_300,
  'discovery.k8s.io': 16_200,
  'flowcontrol.apiserver.k8s.io': 16_100,
};
const versionPriorities: Readonly<Record<string, number>> = {
  '/v1': 1,
  'autoscaling/v2': 30,
  'flowcontrol.apiserver.k8s.io/v1': 21,
};
const versionPriorityDefault = 15;
const customPriorities = { groupPriorityMinimum: 1000, versionPriority: 100 };
/** Priority of built-in groups that are not listed above. It places them before custom groups, which all have equal priority. */
const groupPriorityDefault = 15_000;

/** Maintains an APIService for every group version that this server serves, built-in or from a CRD. */
export function startApiServices(dependencies: ControllerDependencies): Disposable {
  const resource = storageOf(apiServices);
  let desiredByName = desiredServices(dependencies.registry);
  const { scope, loop } = createController(dependencies, 'api-services', async (name, client) => {
    const present = dependencies.store.get({ resource, namespace: '', name })?.object;
    const desired = desiredByName.get(name);
    if (desired === undefined) {
      if (present === undefined || !isOurs(present) || isTerminating(present)) return;
      await client.delete(apiServices, '', name, { preconditions: { uid: present.metadata.uid ?? '' } });
    } else if (present === undefined) await client.create(thaw(desired as Frozen<KubeObject>));
    else if (isOurs(present) && !isTerminating(present) && !isSame(present, desired)) {
      const next = thaw(present);
      next['spec'] = { ...(desired['spec'] as object) };
      next.metadata.labels = { ...next.metadata.labels, ...desired.metadata.labels };
      await client.update(next);
    }
  });
  scope.add(follow(dependencies.store, resource, ({ key }) => loop.add(key.name)));
  scope.add(
    dependencies.registry.onChange(() => {
      const before = desiredByName;
      desiredByName = desiredServices(dependencies.registry);
      for (const name of new Set([...before.keys(), ...desiredByName.keys()]))
        if (before.has(name) !== desiredByName.has(name)) loop.add(name);
    }),
  );
  for (const name of desiredByName.keys()) loop.add(name);
  return scope;
}

function isOurs(service: Frozen<KubeObject>): boolean {
  return service.metadata.labels?.[managedLabel] !== undefined;
}

function isSame(present: Frozen<KubeObject>, desired: KubeObject): boolean {
  const label = desired.metadata.labels?.[managedLabel];
  return deepEqual(present['spec'], desired['spec']) && present.metadata.labels?.[managedLabel] === label;
}

function desiredServices(registry: Registry): Map<string, KubeObject> {
  const services = new Map<string, KubeObject>();
  for (const { group, custom, versions } of registry.definitions()) {
    if (group === ownGroup) continue;
    for (const { name: version, served } of versions) {
      const name = `${version}.${group}`;
      if (served && !services.has(name)) services.set(name, localService(name, group, version, custom));
    }
  }
  return services;
}

function localService(name: string, group: string, version: string, custom: boolean): KubeObject {
  const priorities = custom
    ? customPriorities
    : {
        groupPriorityMinimum: groupPriorities[group] ?? groupPriorityDefault,
        versionPriority: versionPriorities[`${group}/${version}`] ?? versionPriorityDefault,
      };
  return {
    apiVersion: `${ownGroup}/v1`,
    kind: 'APIService',
    metadata: { name, labels: { [managedLabel]: custom ? 'true' : 'onstart' } },
    spec: { ...(group === '' ? {} : { group }), version, ...priorities },
  };
}
