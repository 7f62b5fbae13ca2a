import {
  asJson,
  cloneJson,
  formatApiVersion,
  type Frozen,
  type Kind,
  type KubeObject,
  type MutableJson,
  type MutableJsonObject,
  parseJsonValue,
  type Schema,
  schemaOfKind,
  stringifyJson,
} from '@slipway/kube';
import type { Codec, ConversionContext } from './codec.js';
import { isEmpty, isObject } from './json-object.js';
import { restore } from './restore.js';
import { fillRequired, omitZeroValues } from './zero-values.js';

/** The annotation that stores the storage version of an object while it is served in an old version. */
export const conversionDataAnnotation = 'cluster.x-k8s.io/conversion-data';

/** Converts between one old version of a kind and its storage version. */
export interface Conversion {
  readonly kind: Kind;
  readonly version: string;
  up(object: Frozen<KubeObject>): KubeObject;
  down(object: Frozen<KubeObject>, apiVersionOf: ConversionContext['apiVersionOf']): KubeObject;
}

/** Defines the conversion of a kind. `codec` converts the whole object except apiVersion, kind and metadata. */
export function defineConversion(kind: Kind, version: string, codec: Codec): Conversion {
  const oldSchema = schemaOfKind(kind, version);
  const newSchema = schemaOfKind(kind);
  const storageApiVersion = formatApiVersion({ group: kind.group, version: kind.storageVersion });
  const oldApiVersion = formatApiVersion({ group: kind.group, version });

  const bodyUp = (body: MutableJsonObject, context: ConversionContext): MutableJsonObject => {
    const result = objectOf(codec.up(body, context));
    omitZeroValues(newSchema, result);
    return result;
  };
  const bodyDown = (body: MutableJsonObject, context: ConversionContext): MutableJsonObject => {
    const result = objectOf(codec.down(body, context));
    fillRequired(oldSchema, result);
    return result;
  };

  return {
    kind,
    version,
    up: (object) => {
      const { metadata, body } = split(object);
      const saved = takeSaved(metadata);
      const restoring = saved !== undefined;
      const context = { namespace: metadata.namespace, restoring, apiVersionOf: groupOnly };
      const current = bodyUp(body, context);
      const restored =
        saved === undefined ? current : restoreBody(newSchema, saved, current, context, bodyUp, bodyDown);
      return join(storageApiVersion, kind.kind, metadata, restored);
    },
    down: (object, apiVersionOf) => {
      const { metadata, body } = split(object);
      const { metadata: _metadata, ...saved } = asJson(object);
      metadata.annotations = { ...metadata.annotations, [conversionDataAnnotation]: stringifyJson(saved) };
      return join(
        oldApiVersion,
        kind.kind,
        metadata,
        bodyDown(body, { namespace: metadata.namespace, restoring: false, apiVersionOf }),
      );
    },
  };
}

type BodyMapping = (body: MutableJsonObject, context: ConversionContext) => MutableJsonObject;

function restoreBody(
  schema: Schema,
  saved: MutableJsonObject,
  current: MutableJsonObject,
  context: ConversionContext,
  up: BodyMapping,
  down: BodyMapping,
): MutableJsonObject {
  const base = up(down(cloneJson(saved), context), context);
  return objectOf(restore(schema, base, saved, current));
}

// Returns the group as an apiVersion: the conversion to the storage version reads only the group of an apiVersion.
function groupOnly(apiGroup: string): string {
  return formatApiVersion({ group: apiGroup, version: 'v0' });
}

function split(object: Frozen<KubeObject>): { metadata: KubeObject['metadata']; body: MutableJsonObject } {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...body } = object;
  return { metadata: cloneJson(metadata) as KubeObject['metadata'], body: cloneJson(body) as MutableJsonObject };
}

function join(apiVersion: string, kind: string, metadata: KubeObject['metadata'], body: MutableJsonObject): KubeObject {
  return { apiVersion, kind, metadata, ...body };
}

/** Removes the annotation and returns its content. Undefined if it cannot be parsed. */
function takeSaved(metadata: KubeObject['metadata']): MutableJsonObject | undefined {
  const { annotations } = metadata;
  const text = annotations?.[conversionDataAnnotation];
  if (annotations === undefined || text === undefined) return undefined;
  delete annotations[conversionDataAnnotation];
  if (Object.keys(annotations).length === 0) delete metadata.annotations;
  const saved = readSaved(text);
  if (saved === undefined || isEmpty(saved)) return undefined;
  const { apiVersion: _apiVersion, kind: _kind, metadata: _metadata, ...body } = saved;
  return body;
}

function readSaved(text: string): MutableJsonObject | undefined {
  try {
    const value = cloneJson(parseJsonValue(text)) as MutableJson;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function objectOf(value: MutableJson | undefined): MutableJsonObject {
  return isObject(value) ? value : {};
}
