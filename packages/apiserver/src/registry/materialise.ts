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
 * What a stored object looks like at a served version. The common case, an object stored at that very version and already
 * in the form its schema asks for, is answered with the stored object and its bytes. Answers are remembered per schema:
 * a changed CRD has new version definitions, and so forgets them.
 */
const answersByVersion = new WeakMap<ResourceVersionDefinition, WeakMap<StoredObject, Answer>>();

/** An answer that is the stored object itself. Asks for the object only when somebody looks: it may have to be parsed. */
class StoredAnswer implements Answer {
  constructor(readonly stored: StoredObject) {}

  get object(): Frozen<KubeObject> {
    return this.stored.object;
  }
}

/** What is written at this version needs no second look, neither by the writer nor by those who watch. */
export function rememberStored(version: ResourceVersionDefinition, stored: StoredObject): Answer {
  return remember(version, stored, new StoredAnswer(stored));
}

export function materialise(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: StoredObject,
): Answer | Promise<Answer> {
  const known = answersOf(version).get(stored);
  if (known !== undefined) return known;
  const apiVersion = formatApiVersion({ group: definition.group, version: version.name });
  if (stored.object.apiVersion === apiVersion) return normalise(definition, version, stored);
  const converted = definition.convert([stored.object], version.name);
  if (converted instanceof Promise) return converted.then((objects) => finish(version, stored, objects));
  return finish(version, stored, converted);
}

/** Converts what is not at hand in one call: a conversion webhook is asked once for a whole list. */
export async function materialiseAll(
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

/** The answer where it is at hand; undefined when it takes a conversion. */
export function answerAtOnce(
  definition: ResourceDefinition,
  version: ResourceVersionDefinition,
  stored: StoredObject,
): Answer | undefined {
  const known = answersOf(version).get(stored);
  if (known !== undefined) return known;
  const apiVersion = formatApiVersion({ group: definition.group, version: version.name });
  return stored.object.apiVersion === apiVersion ? normalise(definition, version, stored) : undefined;
}

/** Defaults and pruning apply on read as well: the schema may have changed since the object was written. */
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
  // Defaults were those of the stored version; what this version does not know is dropped.
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
