import { controllerOf, isDeleting } from '@slipway/runtime';
import { type ObjectRef, type Observed, refKey, referencesOf, refOf } from '../objects/index.js';

/** A reference to an object that does not exist now and is not created by the plan. */
export interface MissingReference {
  readonly from: ObjectRef;
  /** Path of the field that contains the reference. */
  readonly path: string;
  readonly to: ObjectRef;
}

/** Roles of objects that are created after they are referenced. */
const laterRoles: ReadonlySet<string> = new Set(['IPAddress']);

/**
 * Returns whether a missing reference is already reported for the owner: Machines and MachineSets copy the references of their
 * owner.
 */
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
