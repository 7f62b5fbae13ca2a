import { retrieve, retrieveAll } from '../property/index.js';
import { type Data, make, type ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/index.js';
import { namePattern } from './name-pattern.js';
import type { InventoryKind } from './reference.js';

export interface NamedObject {
  readonly ref: ObjectRef;
  readonly name: string;
}

/** Returns the objects below a folder at any depth whose name matches, using a temporary container view. */
export async function searchBelow(
  session: SoapSession,
  container: ObjectRef,
  kind: InventoryKind,
  fits: (name: string) => boolean,
  options: CallOptions,
): Promise<NamedObject[]> {
  const { viewManager } = await session.content(options);
  if (viewManager === undefined) return [];
  const parameters = { container, type: kind.types, recursive: true };
  const view = await session.call('CreateContainerView', viewManager, parameters, options);
  try {
    const traversal = make('TraversalSpec', { name: 'view', type: 'ContainerView', path: 'view', skip: false });
    const spec: Data<'PropertyFilterSpec'> = {
      propSet: kind.types.map((type) => ({ type, pathSet: ['name'] })),
      objectSet: [{ obj: view, skip: true, selectSet: [traversal] }],
    };
    const found = await retrieve<'name'>(session, [spec], options);
    const named = found.map(({ ref, values }) => ({ ref, name: values.name ?? '' }));
    // Duplicates are removed: a DistributedVirtualPortgroup is also a Network, so it is returned for both types.
    return [...new Map(named.filter(({ name }) => fits(name)).map((object) => [object.ref.value, object])).values()];
  } finally {
    await session.call('DestroyView', view, {});
  }
}

const childPaths: Readonly<Record<string, readonly ChildPath[]>> = {
  Folder: ['childEntity'],
  StoragePod: ['childEntity'],
  Datacenter: ['vmFolder', 'hostFolder', 'datastoreFolder', 'networkFolder'],
  ComputeResource: ['resourcePool', 'host'],
  ClusterComputeResource: ['resourcePool', 'host'],
  ResourcePool: ['resourcePool'],
  VirtualApp: ['resourcePool'],
};
type ChildPath =
  | 'childEntity'
  | 'vmFolder'
  | 'hostFolder'
  | 'datastoreFolder'
  | 'networkFolder'
  | 'resourcePool'
  | 'host';

async function childrenOf(
  session: SoapSession,
  parents: readonly ObjectRef[],
  options: CallOptions,
): Promise<NamedObject[]> {
  const types = [...new Set(parents.map(({ type }) => type))];
  const specs = types.flatMap((type) => {
    const pathSet = childPaths[type];
    const objectSet = parents.filter((parent) => parent.type === type).map((obj) => ({ obj }));
    return pathSet === undefined ? [] : [{ propSet: [{ type, pathSet }], objectSet }];
  });
  if (specs.length === 0) return [];
  const found = await retrieve<ChildPath>(session, specs, options);
  const children = found.flatMap(({ values }) => Object.values(values).flat() as ObjectRef[]);
  const named = await retrieveAll(session, children, ['name'], options);
  return named.map(({ ref, values }) => ({ ref, name: values.name ?? '' }));
}

/** Follows a path segment by segment. Each segment may be a pattern. */
export async function walk(
  session: SoapSession,
  from: ObjectRef,
  segments: readonly string[],
  options: CallOptions,
): Promise<NamedObject[]> {
  let level: NamedObject[] = [{ ref: from, name: '' }];
  for (const segment of segments) {
    const fits = namePattern(segment);
    const children = await childrenOf(
      session,
      level.map(({ ref }) => ref),
      options,
    );
    level = children.filter(({ name }) => fits(name));
    if (level.length === 0) return [];
  }
  return level;
}
