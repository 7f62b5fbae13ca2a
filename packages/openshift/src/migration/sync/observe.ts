import { type Cluster, clusters, machineSets } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  controllerOf,
  type Index,
  type ObjectKey,
  type Predicate,
  type ReconcileContext,
  type Resource,
  type Source,
  type Watch,
} from '@slipway/runtime';
import { mapiMachineSets } from '../../api/index.js';
import { infrastructureGroup, namespaces } from '../../names.js';
import { recordOf, textOf } from '../conversion/conversion.js';
import { loadBalancersOf, mapiKeyOf, type MigrationScope } from '../migration-scope.js';
import type { MigratedKind } from '../state/machine-objects.js';

/** Resources of one name in both APIs, with related objects. */
export interface Observed {
  readonly mapi: Frozen<KubeObject> | undefined;
  readonly capi: Frozen<KubeObject> | undefined;
  readonly capiSource: Source;
  /** The infrastructure machine, or the referenced template of a set. */
  readonly infra: Frozen<KubeObject> | undefined;
  readonly infraResource: Resource;
  readonly infraSource: Source;
  readonly cluster: Frozen<Cluster> | undefined;
  /** MachineSet that owns the machine, in Machine API. The next field is that in Cluster API. */
  readonly mapiSet: Frozen<KubeObject> | undefined;
  readonly capiSet: Frozen<KubeObject> | undefined;
  readonly facts: MigrationScope['facts'];
}

/** Returns the objects, or undefined until all CRDs are established. */
export async function observe(
  kind: MigratedKind,
  scope: MigrationScope,
  name: string,
  context: ReconcileContext,
): Promise<Observed | undefined> {
  const { conversion, infraName, clusterKind } = scope;
  const infraKind = kind.kind === 'Machine' ? conversion.machineKind : `${conversion.machineKind}Template`;
  const mapis = context.sources.sourceFor(kind.mapi as Resource);
  const all = (): readonly ObjectKey[] => [...mapis.list()].flatMap(mapiKeyOf);
  const ofSet = ({ metadata }: Frozen<KubeObject>): readonly ObjectKey[] =>
    mapis.byIndex(ownerSetIndex, metadata.name ?? '').flatMap(mapiKeyOf);
  const [capis, infras, sets, clusterSource, infraClusters] = await Promise.all([
    served(context, kind.capi, mapiKeyOf),
    served(context, { group: infrastructureGroup, kind: infraKind }, mapiKeyOf),
    served(context, machineSets, ofSet),
    served(context, clusters, all, ({ type }) => type === 'added'),
    served(context, { group: infrastructureGroup, kind: clusterKind }, () => []),
  ]);
  if (!capis || !clusterSource || !infraClusters || !infras || !sets) return undefined;
  const capiKey = { namespace: namespaces.clusterApi, name };
  const clusterKey = { namespace: namespaces.clusterApi, name: infraName };
  const mapi = mapis.get({ namespace: namespaces.machineApi, name });
  const capi = capis.source.get(capiKey);
  const setName = ownerSetOf(mapi) ?? ownerSetOf(capi);
  return {
    mapi,
    capi,
    capiSource: capis.source,
    infraResource: infras.resource,
    infraSource: infras.source,
    infra: infras.source.get({ ...capiKey, name: infraNameOf(kind, capi) ?? name }),
    cluster: clusterSource.source.get(clusterKey) as Frozen<Cluster> | undefined,
    mapiSet:
      setName === undefined
        ? undefined
        : context.sources.sourceFor(mapiMachineSets).get({ namespace: namespaces.machineApi, name: setName }),
    capiSet: setName === undefined ? undefined : sets.source.get({ ...capiKey, name: setName }),
    facts: { ...scope.facts, loadBalancers: loadBalancersOf(infraClusters.source.get(clusterKey)) ?? [] },
  };
}

interface Served {
  readonly resource: Resource;
  readonly source: Source;
}

/**
 * Returns a resource and its watch once it is served. A resource can be watched only after its provider has installed
 * the CRD.
 */
async function served(
  context: ReconcileContext,
  { group, kind, version }: { readonly group: string; readonly kind: string; readonly version?: string },
  map: Watch['map'],
  filter?: Predicate,
): Promise<Served | undefined> {
  const resource = await context.read.resourceFor({ group, kind, ...(version !== undefined && { version }) });
  if (resource === undefined) return undefined;
  return { resource, source: await context.follow({ resource, map, ...(filter && { filter }) }) };
}

/** Indexes Machines of either API by their controlling set. */
export const ownerSetIndex: Index = {
  name: 'controlling MachineSet',
  valuesOf: (object) => {
    const set = ownerSetOf(object);
    return set === undefined ? [] : [set];
  },
};

function ownerSetOf(object: Frozen<KubeObject> | undefined): string | undefined {
  const owner = object && controllerOf(object);
  return owner?.kind === 'MachineSet' ? owner.name : undefined;
}

/** Returns the name of the referenced infrastructure machine or template. */
export function infraNameOf({ kind }: MigratedKind, capi: Frozen<KubeObject> | undefined): string | undefined {
  const spec = recordOf(capi?.['spec']);
  const machine = kind === 'Machine' ? spec : recordOf(recordOf(spec['template'])['spec']);
  return textOf(recordOf(machine['infrastructureRef'])['name']);
}

export function infraSpecOf({ kind }: MigratedKind, infra: Frozen<KubeObject>) {
  const spec = recordOf(infra['spec']);
  return kind === 'Machine' ? spec : recordOf(recordOf(spec['template'])['spec']);
}
