import type { Guests } from '@slipway/dev';
import type { Controller, ControllerSet, Resource } from '@slipway/runtime';
import { createController, watch, type ObjectKey } from '@slipway/runtime';
import { clusters, type Machine, machines, type ObservedCluster } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { reconcileForeign } from './reconcile-foreign.js';

/**
 * Simulates providers that are not built in. Their objects keep their kinds and get the status that the contract requires of a
 * provisioned object. The Nodes of their machines are simulated.
 */
export function simulatedProviders(resources: readonly Resource[], guests: Guests): ControllerSet {
  const own = resources.filter(({ kind, namespaced }) => namespaced && !kind.endsWith('Template'));
  return {
    name: 'simulated-providers',
    controllers: own.map((resource) => ({
      name: `simulated-${resource.plural}.${resource.group}`,
      create: () => createSimulatedProvider(resource, guests),
    })),
  };
}

function createSimulatedProvider(resource: Resource, guests: Guests): Controller {
  return createController({
    name: `simulated-${resource.plural}.${resource.group}`,
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
