import { NotFoundInInventory } from '../errors.js';
import { retrieve } from '../property/index.js';
import { type Data, make, type ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/index.js';
import type { Finder } from './finder.js';

/** Finds a network like other objects, or by the ID of its NSX segment or logical switch. */
export async function findNetwork(
  session: SoapSession,
  finder: Finder,
  nameOrPath: string,
  options: CallOptions = {},
): Promise<ObjectRef> {
  try {
    return await finder.find('network', nameOrPath);
  } catch (error) {
    if (!(error instanceof NotFoundInInventory)) throw error;
    const found = await bySegment(session, await finder.typedFolder('network'), nameOrPath, options);
    if (found === undefined) throw error;
    return found;
  }
}

async function bySegment(
  session: SoapSession,
  container: ObjectRef,
  nameOrPath: string,
  options: CallOptions,
): Promise<ObjectRef | undefined> {
  const { viewManager } = await session.content(options);
  if (viewManager === undefined) return undefined;
  const type = ['DistributedVirtualPortgroup', 'OpaqueNetwork'];
  const view = await session.call('CreateContainerView', viewManager, { container, type, recursive: true }, options);
  try {
    const traversal = make('TraversalSpec', { name: 'view', type: 'ContainerView', path: 'view', skip: false });
    const spec: Data<'PropertyFilterSpec'> = {
      propSet: [
        { type: 'DistributedVirtualPortgroup', pathSet: ['config.segmentId', 'config.logicalSwitchUuid'] },
        { type: 'OpaqueNetwork', pathSet: ['summary'] },
      ],
      objectSet: [{ obj: view, skip: true, selectSet: [traversal] }],
    };
    const found = await retrieve<'config.segmentId' | 'config.logicalSwitchUuid' | 'summary'>(session, [spec], options);
    return found.find(({ values }) => {
      const summary = values.summary as Data<'OpaqueNetworkSummary'> | undefined;
      return [values['config.segmentId'], values['config.logicalSwitchUuid'], summary?.opaqueNetworkId].includes(
        nameOrPath,
      );
    })?.ref;
  } finally {
    await session.call('DestroyView', view, {});
  }
}
