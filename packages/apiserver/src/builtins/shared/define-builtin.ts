import {
  deepEqual,
  type FieldError,
  type Frozen,
  type KubeObject,
  nameIsDnsSubdomain,
  type NameRule,
} from '@slipway/kube';
import type {
  ResourceDefinition,
  ResourceVersionDefinition,
  ScalePaths,
  Subresource,
  TablePrinter,
  Verb,
  WriteContext,
  WriteStrategy,
} from '../../registry/index.js';
import { decodeTyped, messageOfKind, schemaOf } from '../types/index.js';
import { child, type Fields, put } from './fields.js';
import { nameAndAge } from './table.js';

/** What sets a built-in kind apart. Hooks see objects whose shape has been checked. */
export interface KindStrategy {
  readonly name?: NameRule;
  /** Defaults of upstream's versioned types. */
  defaults?(object: Fields): void;
  prepareCreate?(object: Fields, context: WriteContext): void | Promise<void>;
  prepareUpdate?(object: Fields, old: Fields, context: WriteContext): void | Promise<void>;
  prepareStatus?(object: Fields, old: Fields, context: WriteContext): void;
  /** Runs on create and on update. */
  validate?(object: Fields, old: Fields | undefined, context: WriteContext): readonly FieldError[];
  validateUpdate?(object: Fields, old: Fields, context: WriteContext): readonly FieldError[];
  validateStatus?(object: Fields, old: Fields, context: WriteContext): readonly FieldError[];
  readonly release?: (object: Fields) => void;
  readonly afterDelete?: (object: Fields) => void;
  readonly graceSeconds?: (object: Fields, requested: number | undefined) => number | undefined;
  /** What holds up the deletion of this kind besides finalizers. */
  readonly deletion?: Pick<WriteStrategy, 'deletionFinalizers' | 'beginDeletion' | 'holdsDeletion'>;
}

export interface KindOptions {
  readonly group: string;
  readonly version?: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly Verb[];
  readonly table?: TablePrinter;
  /** There is a status part with an endpoint of its own. */
  readonly status?: boolean;
  /** The status of a new object is the client's: for kinds that register themselves. */
  readonly statusOnCreate?: boolean;
  readonly scale?: ScalePaths;
  readonly selectable?: ResourceVersionDefinition['selectableFields'];
  readonly subresources?: readonly Subresource[];
  readonly unconditionalUpdate?: boolean;
  readonly createOnUpdate?: boolean;
  readonly returnsDeleted?: boolean;
  /** metadata.generation counts changes of these top-level fields. */
  readonly generation?: readonly string[];
  readonly strategy?: KindStrategy;
}

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

/** A built-in kind with one version, as the registry wants it. */
export function defineBuiltin(options: KindOptions): ResourceDefinition {
  const version = options.version ?? 'v1';
  const message = messageOfKind(options.group, version, options.kind);
  if (message === undefined) throw new Error(`no built-in type for ${options.group}/${version} ${options.kind}`);
  return {
    group: options.group,
    plural: options.plural,
    singular: options.kind.toLowerCase(),
    kind: options.kind,
    listKind: `${options.kind}List`,
    shortNames: options.shortNames ?? [],
    categories: options.categories ?? [],
    namespaced: options.namespaced,
    verbs: options.verbs ?? allVerbs,
    versions: [versionOf(options, version, message)],
    storageVersion: version,
    storageResource: options.group === '' ? options.plural : `${options.group}/${options.plural}`,
    custom: false,
    strategy: strategyOf(options, message),
    subresources: options.subresources ?? [],
    unconditionalUpdate: options.unconditionalUpdate ?? true,
    createOnUpdate: options.createOnUpdate ?? false,
    returnsDeleted: options.returnsDeleted ?? false,
    // One version: there is never anything to convert.
    convert: (objects) => objects as readonly KubeObject[],
  };
}

function versionOf(options: KindOptions, version: string, message: string): ResourceVersionDefinition {
  return {
    name: version,
    served: true,
    get schema() {
      return schemaOf(message);
    },
    table: options.table ?? nameAndAge,
    subresources: {
      status: options.status === true,
      ...(options.scale === undefined ? {} : { scale: options.scale }),
    },
    selectableFields: options.selectable ?? {},
  };
}

type StoredFields = Frozen<KubeObject>;

export function strategyOf(options: KindOptions, message: string): WriteStrategy {
  const own = options.strategy ?? {};
  return {
    validateName: (name) => (own.name ?? nameIsDnsSubdomain)(name),
    setDefaults(object) {
      decodeTyped(message, object);
      own.defaults?.(object);
    },
    async prepareForCreate(object, context) {
      if (options.status === true && options.statusOnCreate !== true) object.status = {};
      if (options.generation !== undefined) object.metadata.generation = 1;
      await own.prepareCreate?.(object, context);
    },
    async prepareForUpdate(object, old, context) {
      if (context.subresource === 'status') prepareStatusWrite(object, old as Fields, own, context);
      else await prepareMainWrite(options, object, old, context);
    },
    validateCreate: (object, context) => own.validate?.(object as Fields, undefined, context) ?? [],
    validateUpdate: (object, old, context) => validateWrite(own, object, old, context),
    ...optionalHooks(own),
    ...own.deletion,
  };
}

function optionalHooks(own: KindStrategy): Pick<WriteStrategy, 'release' | 'afterDelete' | 'graceSeconds'> {
  const { release, afterDelete, graceSeconds } = own;
  return {
    ...(release === undefined ? {} : { release: (object) => release(object as Fields) }),
    ...(afterDelete === undefined ? {} : { afterDelete: (object) => afterDelete(object as Fields) }),
    ...(graceSeconds === undefined
      ? {}
      : { graceSeconds: (object, requested) => graceSeconds(object as Fields, requested) }),
  };
}

/** Through /status only the status changes; everything else but the metadata is what is stored. */
function prepareStatusWrite(object: KubeObject, old: Fields, own: KindStrategy, context: WriteContext): void {
  const kept = new Set(['apiVersion', 'kind', 'metadata', 'status']);
  for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
    if (!kept.has(key)) put(object, key, old[key]);
  }
  object.metadata.generation = (old.metadata as Fields).generation as number;
  if (object.metadata.generation === undefined) delete object.metadata.generation;
  own.prepareStatus?.(object, old, context);
}

async function prepareMainWrite(
  options: KindOptions,
  object: KubeObject,
  stored: StoredFields,
  context: WriteContext,
): Promise<void> {
  const old = stored as Fields;
  if (options.status === true) put(object, 'status', old.status);
  await options.strategy?.prepareUpdate?.(object, old, context);
  if (options.generation === undefined) return;
  const before = stored.metadata.generation ?? 0;
  const changed = options.generation.some((key) => !deepEqual(object[key], old[key]));
  child(object, 'metadata').generation = changed ? before + 1 : before;
}

function validateWrite(
  own: KindStrategy,
  object: StoredFields,
  old: StoredFields,
  context: WriteContext,
): FieldError[] {
  const [next, previous] = [object as Fields, old as Fields];
  if (context.subresource === 'status') return [...(own.validateStatus?.(next, previous, context) ?? [])];
  return [...(own.validateUpdate?.(next, previous, context) ?? []), ...(own.validate?.(next, previous, context) ?? [])];
}
