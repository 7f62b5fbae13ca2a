import { labelOf, providerTypes } from '@slipway/clusterctl';
import { type Frozen, type KubeObject, labelSelectorFromObject, SelectorError } from '@slipway/kube';
import {
  type Index,
  isConditionTrue,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Resource,
  type Sources,
  type Watch,
  watch,
} from '@slipway/runtime';
import {
  conditionTypes,
  type FrozenProvider,
  operatorLabels,
  type ProviderObject,
  providerResources,
  typeNames,
} from '../api/index.js';
import { keyOfReference } from '../configuration/variables.js';
import type { FollowListener } from './object-follower.js';

const keys = (providers: readonly FrozenProvider[]): ObjectKey[] => providers.map((each) => keyOf(each));

/** Returns watches between providers that wait for each other. */
export function dependantWatches(resource: Resource<ProviderObject>, sources: Sources): readonly Watch[] {
  const own = (): readonly FrozenProvider[] => [...sources.sourceFor(resource).list()];
  // Providers that have not passed their preflight checks, or were never checked.
  const waiting = (): ObjectKey[] =>
    keys(own().filter((each) => !isConditionTrue(each, conditionTypes.preflightCheckPassed)));
  const twins = watch(resource, { map: waiting, filter: ({ type }) => type === 'deleted' });
  if (resource.kind !== 'CoreProvider')
    return [
      twins,
      watch(providerResources.CoreProvider, {
        map: (core) => (isConditionTrue(core, conditionTypes.ready) ? waiting() : []),
      }),
    ];
  // A core provider that is being deleted waits for the providers that require it.
  const leaving = (): ObjectKey[] => keys(own().filter((each) => isDeleting(each)));
  const others = providerTypes.filter((type) => type !== 'CoreProvider');
  return [
    twins,
    ...others.map((type) =>
      watch(providerResources[type], { map: leaving, filter: (change) => change.type === 'deleted' }),
    ),
  ];
}

/** Indexes providers by referenced objects: `Secret/namespace/name`. */
const referenceIndex: Index<ProviderObject> = {
  name: 'reference',
  valuesOf: (provider) => {
    const { configSecret, additionalManifests } = provider.spec ?? {};
    const place = (kind: string, reference: { name: string; namespace?: string }): string => {
      const { namespace, name } = keyOfReference(provider, reference);
      return `${kind}/${namespace}/${name}`;
    };
    return [
      ...(configSecret ? [place('Secret', configSecret)] : []),
      ...(additionalManifests ? [place('ConfigMap', additionalManifests)] : []),
    ];
  },
};

const namespaceIndex: Index<ProviderObject> = {
  name: 'namespace',
  valuesOf: ({ metadata }) => [metadata.namespace ?? ''],
};

/** Triggers a reconcile of providers whose referenced objects or components change. */
export function wakeByReference(
  resource: Resource<ProviderObject>,
  sources: Sources,
  enqueue: (key: ObjectKey) => void,
): FollowListener {
  const source = sources.sourceFor(resource);
  return {
    changed(kind, object) {
      const { namespace = '', name = '' } = object.metadata;
      const named = source.byIndex(referenceIndex, `${kind}/${namespace}/${name}`);
      const selecting =
        kind === 'ConfigMap' ? source.byIndex(namespaceIndex, namespace).filter((each) => selects(each, object)) : [];
      for (const key of keys([...named, ...selecting])) enqueue(key);
    },
    broken(label, { metadata }) {
      for (const provider of source.list()) {
        const isOf = labelOf({ type: provider.kind, name: provider.metadata.name ?? '' }) === label;
        const isNear = metadata.namespace === undefined || metadata.namespace === provider.metadata.namespace;
        if (isOf && isNear) enqueue(keyOf(provider));
      }
    },
  };
}

function selects(provider: FrozenProvider, { metadata }: Frozen<KubeObject>): boolean {
  const { selector } = provider.spec?.fetchConfig ?? {};
  const own = metadata.labels ?? {};
  if (selector === undefined)
    return own[operatorLabels.type] === typeNames[provider.kind] && own[operatorLabels.name] === provider.metadata.name;
  try {
    return labelSelectorFromObject(selector).matches(own);
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}
