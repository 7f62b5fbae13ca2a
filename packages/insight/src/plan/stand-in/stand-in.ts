import type { Guests } from '@slipway/dev';
import type { Controller, ControllerSet, Resource } from '@slipway/runtime';
import { createController, watch, type ObjectKey } from '@slipway/runtime';
import { clusters, type Machine, machines, type ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { reconcileForeign } from './reconcile-foreign.js';

/**
 * Stands in for providers that are not ours: their objects keep their kinds, and are told by the contract to be what they
 * would be once their provider had done its work. What runs on their machines is simulated.
 */
export function standInFor(resources: readonly Resource[], guests: Guests): ControllerSet {
  const own = resources.filter(({ kind, namespaced }) => namespaced && !kind.endsWith('Template'));
  return {
    name: 'stand-in',
    controllers: own.map((resource) => ({
      name: `stand-in-${resource.plural}.${resource.group}`,
      create: () => createStandIn(resource, guests),
    })),
  };
}

function createStandIn(resource: Resource, guests: Guests): Controller {
  return createController({
    name: `stand-in-${resource.plural}.${resource.group}`,
    for: resource,
    concurrency: 10,
    watches: [
      watch(machines, { map: (machine) => namedByMachine(resource, machine) }),
      watch(clusters, { map: (cluster) => namedByCluster(resource, cluster) }),
    ],
    reconcile: (key, context) => reconcileForeign(resource, key, context, guests),
  });
}

function namedByMachine({ group, kind }: Resource, { metadata, spec }: Frozen<Machine>): ObjectKey[] {
  const references = [spec.infrastructureRef, spec.bootstrap.configRef];
  const named = references.filter((each) => each?.kind === kind && each.apiGroup === group);
  return named.map((each) => ({ namespace: metadata.namespace ?? '', name: each?.name ?? '' }));
}

function namedByCluster({ group, kind }: Resource, { metadata, spec }: ObservedCluster): ObjectKey[] {
  const reference = spec.infrastructureRef;
  if (reference?.kind !== kind || reference.apiGroup !== group) return [];
  return [{ namespace: metadata.namespace ?? '', name: reference.name }];
}
