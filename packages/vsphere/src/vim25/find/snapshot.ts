import { AmbiguousInInventory, NotFoundInInventory } from '../errors.js';
import type { Data, ObjectRef } from '../schema/index.js';

type Tree = Data<'VirtualMachineSnapshotTree'>;

/** Finds a snapshot by its name, its moid or its path of names. */
export function findSnapshot(info: Data<'VirtualMachineSnapshotInfo'> | undefined, nameOrPath: string): ObjectRef {
  const found: ObjectRef[] = [];
  const visit = (trees: readonly Tree[], parent: string): void => {
    for (const tree of trees) {
      const path = parent === '' ? tree.name : `${parent}/${tree.name}`;
      if (tree.name === nameOrPath || tree.snapshot.value === nameOrPath || path === nameOrPath.replace(/^\//, '')) {
        found.push(tree.snapshot);
      }
      visit(tree.childSnapshotList ?? [], path);
    }
  };
  visit(info?.rootSnapshotList ?? [], '');
  const [first, second] = found;
  if (first === undefined) throw new NotFoundInInventory('snapshot', nameOrPath);
  if (second !== undefined) throw new AmbiguousInInventory('snapshot', nameOrPath);
  return first;
}
