import type { JsonObject } from '../json/index.js';
import { difference, emptyFieldSet, type FieldSet, intersection, isEmptySet, union } from './field-set.js';
import type { FieldType } from './field-type.js';
import { isMap } from './forms.js';
import type { Manager, Managers } from './managers.js';
import { withNamedFields } from './named-fields.js';
import { ownedFields } from './owned-fields.js';
import { removeFields } from './remove-fields.js';
import type { Versions } from './versions.js';

/**
 * Removes from the merged object the fields that the applier owned before, does not own now, and no other manager owns. A
 * list item is removed as a whole only if no other manager owns a field of it. `managers` contains the applier's new set.
 */
export async function pruneDropped(
  merged: JsonObject,
  managers: Managers,
  applier: Manager,
  last: Manager | undefined,
  versions: Versions,
): Promise<JsonObject> {
  if (last === undefined || isEmptySet(last.set)) return merged;
  if (last.apiVersion === applier.apiVersion && isEmptySet(difference(last.set, applier.set))) return merged;
  const type = versions.typeOf(last.apiVersion);
  if (type === undefined) return merged;
  const whole = await versions.convert(merged, last.apiVersion);
  const lastNamed = withNamedFields(last.set, type);
  // Emptied containers become null, which still counts as a field. An empty list would not.
  const stripped = (removeFields(whole, lastNamed, type, 'null') ?? {}) as JsonObject;
  const pruned = await addBackOwned(whole, stripped, last.apiVersion, managers, versions);
  const rest = await versions.convert(pruned, last.apiVersion);
  const removed = difference(namedFieldsOf(whole, type), namedFieldsOf(rest, type));
  const result = removeFields(whole, intersection(removed, lastNamed), type, 'empty') as JsonObject;
  return versions.convert(result, applier.apiVersion);
}

function namedFieldsOf(object: JsonObject, type: FieldType): FieldSet {
  return withNamedFields(ownedFields(object, type), type);
}

/**
 * Restores fields that a manager owns. Works version by version, starting with the current one, because conversion needs whole
 * objects.
 */
async function addBackOwned(
  merged: JsonObject,
  pruned: JsonObject,
  prunedVersion: string,
  managers: Managers,
  versions: Versions,
): Promise<JsonObject> {
  const claimed = new Map<string, FieldSet>([[prunedVersion, emptyFieldSet]]);
  for (const { apiVersion, set } of managers.values()) {
    claimed.set(apiVersion, union(claimed.get(apiVersion) ?? emptyFieldSet, set));
  }
  let whole = merged;
  let rest = pruned;
  for (const [apiVersion, claims] of claimed) {
    const type = versions.typeOf(apiVersion);
    if (type === undefined) continue;
    whole = await versions.convert(whole, apiVersion);
    rest = await versions.convert(withIdentity(rest, whole), apiVersion);
    const keep = union(namedFieldsOf(rest, type), withNamedFields(claims, type));
    const dropped = difference(namedFieldsOf(whole, type), keep);
    rest = (removeFields(whole, dropped, type, 'null') ?? {}) as JsonObject;
  }
  return withIdentity(rest, whole);
}

/** Restores the object's name, namespace and uid, which were removed because no manager owns them. Conversion requires them. */
function withIdentity(object: JsonObject, source: JsonObject): JsonObject {
  const metadata = source['metadata'];
  if (!isMap(metadata)) return object;
  const { name, namespace, uid } = metadata;
  const own = isMap(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...own, name, namespace, uid } };
}
