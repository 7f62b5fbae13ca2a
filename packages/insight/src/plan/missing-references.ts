import { controllerOf, isDeleting } from '@slipway/runtime';
import { type ObjectRef, type Observed, refKey, referencesOf, refOf } from '../objects/index.js';

/** A reference to an object that does not exist, neither now nor after the plan. */
export interface MissingReference {
  readonly from: ObjectRef;
  /** The field with the reference. */
  readonly path: string;
  readonly to: ObjectRef;
}

/** An address is referenced before it is allocated. */
const laterRoles: ReadonlySet<string> = new Set(['IPAddress']);

/** Machines and MachineSets copy the references of their owner, for which a missing one is reported already. */
function isDetail(object: Observed): boolean {
  return (object.kind === 'Machine' || object.kind === 'MachineSet') && controllerOf(object) !== undefined;
}

export function missingReferences(objects: readonly Observed[], existing: ReadonlySet<string>): MissingReference[] {
  return objects
    .filter((object) => !isDeleting(object) && !isDetail(object))
    .flatMap((object) =>
      referencesOf(object)
        .filter(({ field, target }) => !laterRoles.has(field.to) && !existing.has(refKey(target)))
        .map(({ path, target }) => ({ from: refOf(object), path, to: target })),
    );
}
