import {
  type Controller,
  type ControllerContext,
  createController,
  type Index,
  namespaces,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import { type ClusterClass, clusterClasses, extensionConfigs } from '../api/index.js';
import { definitionsWatch } from '../contract/index.js';
import { ExtensionClient, extensionDependencies, type ExtensionTransport } from '../runtime-extensions/index.js';
import { createVariableDiscovery } from './discover-variables.js';
import { reconcileClass } from './reconcile.js';

/** Indexes classes by the ExtensionConfig that declares variables for them. */
const extensionIndex: Index<ClusterClass> = {
  name: 'extension of variables',
  valuesOf: ({ spec }) =>
    (spec.patches ?? []).flatMap(({ external }) => {
      const handler = external?.discoverVariablesExtension;
      return handler === undefined ? [] : [handler.slice(handler.indexOf('.') + 1)];
    }),
};

export function createClusterClassController(context: ControllerContext, transport?: ExtensionTransport): Controller {
  const { concurrency, featureGates, sources, watchFilter } = context;
  const hasExtensions = featureGates.isOpen('RuntimeSDK');
  const discover = hasExtensions
    ? createVariableDiscovery(new ExtensionClient(sources, extensionDependencies(context, transport)))
    : undefined;
  return createController({
    name: 'clusterclass',
    for: clusterClasses,
    filter: watchFilter,
    watches: [definitionsWatch, ...(hasExtensions ? extensionWatches(sources) : [])],
    concurrency,
    reconcile: (key, reconcileContext) => reconcileClass(key, reconcileContext, discover),
  });
}

function extensionWatches(sources: Sources): Watch[] {
  return [
    watch(extensionConfigs, {
      map: ({ metadata }) =>
        sources
          .sourceFor(clusterClasses)
          .byIndex(extensionIndex, metadata.name ?? '')
          .map((found) => ({ namespace: found.metadata.namespace ?? '', name: found.metadata.name ?? '' })),
    }),
    // Cached because extensions have a namespace selector. Changes of Namespaces trigger no reconcile.
    { resource: namespaces, map: () => [] },
  ];
}
