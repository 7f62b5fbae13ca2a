import { clusters, listAt, machines, machineSets, textAt } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  customResourceDefinitions,
  type ObjectKey,
  type Resource,
  type Sources,
  watch,
  type Watch,
} from '@slipway/runtime';
import { clusterVersions, featureGates, infrastructures } from '../api/index.js';
import { infrastructureGroup, namespaces } from '../names.js';
import { type ActiveScope, observeScope } from '../scope/scope.js';
import { awsConversion } from './conversion/aws.js';
import { openStackConversion } from './conversion/openstack.js';
import type { ConversionFacts, ProviderConversion } from './conversion/provider.js';

const conversions = [awsConversion, openStackConversion];

/** Observed cluster while machine migration is enabled. */
export interface MigrationScope {
  readonly conversion: ProviderConversion;
  readonly infraName: string;
  readonly clusterKind: string;
  readonly facts: ConversionFacts;
}

/** Returns the scope, or undefined while the feature gate is disabled and on platforms without conversion. */
export function observeMigration(sources: Sources, version: string): MigrationScope | undefined {
  const scope = observeScope(sources, version);
  if (scope.type !== 'on' || !scope.isMigrating) return undefined;
  const conversion = conversions.find(({ platform }) => platform === scope.platform.type);
  if (conversion === undefined) return undefined;
  const { infraName, platform } = scope;
  return { conversion, infraName, clusterKind: `${platform.kindPrefix}Cluster`, facts: factsOf(scope) };
}

function factsOf({ infrastructure, infraName }: ActiveScope): ConversionFacts {
  const family = textAt(infrastructure, 'status', 'platformStatus', 'aws', 'ipFamily') ?? '';
  return {
    infraName,
    region: textAt(infrastructure, 'status', 'platformStatus', 'aws', 'region'),
    isDualStack: family.startsWith('DualStack'),
    primaryFamily: family === 'DualStackIPv6Primary' ? 'IPv6' : 'IPv4',
  };
}

const loadBalancerTypes: Readonly<Record<string, string>> = { classic: 'classic', nlb: 'network' };

/** Returns the load balancers of the AWSCluster in Machine API form, the internal one first. */
export function loadBalancersOf(infraCluster: Frozen<KubeObject> | undefined): ConversionFacts['loadBalancers'] {
  if (infraCluster === undefined) return [];
  return ['controlPlaneLoadBalancer', 'secondaryControlPlaneLoadBalancer'].flatMap((field) => {
    const name = textAt(infraCluster, 'spec', field, 'name');
    const type = textAt(infraCluster, 'spec', field, 'loadBalancerType') ?? 'classic';
    return name === undefined ? [] : [{ name, type: loadBalancerTypes[type] ?? type }];
  });
}

/**
 * Returns watches that enqueue all objects of the kind when the feature gate is enabled, and when missing CRDs are established.
 */
export function scopeWatches(sources: Sources, mapi: Resource): readonly Watch[] {
  const all = (): readonly ObjectKey[] => [...sources.sourceFor(mapi).list()].flatMap(mapiKeyOf);
  const awaited = [machines, machineSets, clusters].map(({ plural, group }) => `${plural}.${group}`);
  return [
    ...([featureGates, infrastructures, clusterVersions] as readonly Resource[]).map((resource) =>
      watch(resource, { map: all }),
    ),
    watch(customResourceDefinitions, {
      filter: ({ object, previous }) =>
        (awaited.includes(object.metadata.name ?? '') ||
          object.metadata.name?.endsWith(`.${infrastructureGroup}`) === true) &&
        // Other conditions of CRDs change often and are ignored.
        establishedOf(object) !== establishedOf(previous),
      map: all,
    }),
  ];
}

function establishedOf(definition: Frozen<KubeObject> | undefined): string {
  const conditions = definition === undefined ? [] : listAt(definition, 'status', 'conditions');
  const found = conditions.find((one) => (one as { readonly type?: unknown }).type === 'Established');
  return String((found as { readonly status?: unknown } | undefined)?.status);
}

/** Returns the key of the Machine API object. Both counterparts have the same name, in different namespaces. */
export function mapiKeyOf({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): readonly ObjectKey[] {
  const { namespace, name = '' } = metadata;
  return namespace === namespaces.machineApi || namespace === namespaces.clusterApi
    ? [{ namespace: namespaces.machineApi, name }]
    : [];
}
