import {
  applyDefaults,
  asJson,
  asObject,
  cloneJson,
  deepEqual,
  deepFreeze,
  formatApiVersion,
  type Frozen,
  type KubeObject,
  type JsonObject,
  prune,
} from '@slipway/kube';
import type { Answer, ResourceDefinition, ResourceVersionDefinition, StoredObject } from '../contract/index.js';

/**
 * Stored objects converted to a served version. In the common case, an object that is stored at that version and conforms to its
 * schema, the result is the stored object with its bytes. The cache is per version definition: a changed CRD has new version
 * definitions and therefore starts with an empty cache.
 */
const answersByVersion = new WeakMap<ResourceVersionDefinition, WeakMap<StoredObject, Answer>>();

/** A response that is the stored object itself. The object is parsed only when it is accessed. */
class StoredAnswer implements Answer {
  constructor(readonly stored: StoredObject) {}

  get object(): Frozen<KubeObject> {
    return this.stored.object;
  }
}

/**
 * Caches an object that was just written at this version as conforming to it, so that its writer and watchers need not check it
 * again.
 */
export function rememberStored(version: ResourceVersionDefinition, stored: StoredObject): Answer {
  return remember(version, stored, new StoredAnswer(stored));
}

export function convertToServed(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: StoredObject,
): Answer | Promise<Answer> {
  const cached = answersOf(version).get(stored);
  if (cached !== undefined) return cached;
  const apiVersion = formatApiVersion({ group: definition.group, version: version.name });
  if (stored.object.apiVersion === apiVersion) return normalise(definition, version, stored);
  const converted = definition.convert([stored.object], version.name);
  if (converted instanceof Promise) return converted.then((objects) => finish(version, stored, objects));
  return finish(version, stored, converted);
}

/** Converts all objects that are not cached in one call: a conversion webhook is called once per list. */
export async function convertAllToServed(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: readonly StoredObject[],
): Promise<readonly Answer[]> {
  const answers = stored.map((one) => answerAtOnce(definition, version, one));
  const missing = stored.filter((_, index) => answers[index] === undefined);
  if (missing.length === 0) return answers as Answer[];
  const converted = await definition.convert(
    missing.map((one) => one.object),
    version.name,
  );
  let next = 0;
  return answers.map((answer) => {
    if (answer !== undefined) return answer;
    const index = next;
    next += 1;
    return finish(version, missing[index] as StoredObject, converted.slice(index, index + 1));
  });
}

/** Returns the response if it is cached or needs no conversion; undefined if a conversion is required. */
export function answerAtOnce(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: StoredObject,
): Answer | undefined {
  const cached = answersOf(version).get(stored);
  if (cached !== undefined) return cached;
  const apiVersion = formatApiVersion({ group: definition.group, version: version.name });
  return stored.object.apiVersion === apiVersion ? normalise(definition, version, stored) : undefined;
}

/** Defaults and prunes a stored object on read, because the schema may have changed since the object was written. */
function normalise(definition: ResourceDefinition, version: ResourceVersionDefinition, stored: StoredObject): Answer {
  if (!definition.custom) return rememberStored(version, stored);
  const copy = cloneJson(asJson(stored.object));
  prune(version.schema, copy);
  applyDefaults(version.schema, copy);
  if (deepEqual(copy, stored.object)) return rememberStored(version, stored);
  return remember(version, stored, { object: asObject(deepFreeze(copy) as JsonObject) });
}

function finish(version: ResourceVersionDefinition, stored: StoredObject, converted: readonly KubeObject[]): Answer {
  const object = converted[0];
  if (object === undefined) throw new Error('conversion returned fewer objects than it was given');
  // The object was defaulted at its stored version before conversion. Prune fields that are unknown to this version.
  prune(version.schema, asJson(object));
  return remember(version, stored, { object: deepFreeze(object) as Frozen<KubeObject> });
}

function remember(version: ResourceVersionDefinition, stored: StoredObject, answer: Answer): Answer {
  answersOf(version).set(stored, answer);
  return answer;
}

function answersOf(version: ResourceVersionDefinition): WeakMap<StoredObject, Answer> {
  let answers = answersByVersion.get(version);
  if (answers === undefined) {
    answers = new WeakMap();
    answersByVersion.set(version, answers);
  }
  return answers;
}
