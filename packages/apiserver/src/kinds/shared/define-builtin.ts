import {
  asJson,
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
} from '../../contract/index.js';
import { completeTyped, decodeTyped, emptyStructs, messageOfKind, schemaOf } from '../types/index.js';
import { child, type Fields, put } from './fields.js';
import { nameAndAge } from './table.js';

/** Kind-specific hooks of a built-in kind. They receive objects that passed typed decoding. */
interface KindStrategy {
  readonly name?: NameRule;
  /** Sets the same defaults as upstream's versioned types. */
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
  /** Hooks that block removal of the object in addition to finalizers. */
  readonly deletion?: Pick<WriteStrategy, 'deletionFinalizers' | 'beginDeletion' | 'holdsDeletion'>;
}

interface KindNames {
  readonly group: string;
  readonly version?: string;
  readonly kind: string;
}

export interface KindOptions extends KindNames {
  readonly plural: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs?: readonly Verb[];
  readonly table?: TablePrinter;
  /** Whether the kind has a status subresource. */
  readonly status?: boolean;
  /** Whether a create keeps the status, for kinds that register themselves (nodes). */
  readonly statusOnCreate?: boolean;
  readonly scale?: ScalePaths;
  readonly selectable?: ResourceVersionDefinition['selectableFields'];
  readonly subresources?: readonly Subresource[];
  readonly unconditionalUpdate?: boolean;
  readonly createOnUpdate?: boolean;
  readonly returnsDeleted?: boolean;
  /** Top-level fields whose changes increment metadata.generation. */
  readonly generation?: readonly string[];
  /** Metadata whose changes also increment metadata.generation, because some controllers read annotations. */
  readonly generationMeta?: 'annotations' | 'labels';
  /** Warning that is sent with every response for this kind. */
  readonly deprecationWarning?: string;
  /** Default propagation policy of deletions. */
  readonly defaultPropagation?: ResourceDefinition['defaultPropagation'];
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

/** Builds the resource definition of a built-in kind with one version. */
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
    strategy: mainStrategy(options, message),
    subresources: [
      ...(options.status === true ? [partOf(options, 'status', statusStrategy(options.strategy ?? {}))] : []),
      ...(options.subresources ?? []),
    ],
    unconditionalUpdate: options.unconditionalUpdate ?? true,
    createOnUpdate: options.createOnUpdate ?? false,
    returnsDeleted: options.returnsDeleted ?? false,
    ...(options.defaultPropagation === undefined ? {} : { defaultPropagation: options.defaultPropagation }),
    // A kind with one version needs no conversion.
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
    get empty() {
      return emptyStructs(message);
    },
    table: options.table ?? nameAndAge,
    subresources: {
      status: options.status === true,
      ...(options.scale === undefined ? {} : { scale: options.scale }),
    },
    selectableFields: options.selectable ?? {},
    ...(options.deprecationWarning === undefined ? {} : { deprecationWarning: options.deprecationWarning }),
  };
}

/** Returns the strategy of the main resource. */
function mainStrategy(options: KindOptions, message: string): WriteStrategy {
  const own = options.strategy ?? {};
  return {
    validateName: own.name ?? nameIsDnsSubdomain,
    setDefaults(object) {
      decodeTyped(message, object);
      own.defaults?.(object);
      completeTyped(message, asJson(object));
    },
    async prepareForCreate(object, context) {
      if (options.status === true && options.statusOnCreate !== true) object.status = emptyStructs(message)['status'];
      if (options.generation !== undefined) object.metadata.generation = 1;
      await own.prepareCreate?.(object, context);
    },
    prepareForUpdate: (object, old, context) => prepareMainWrite(options, object, old, context),
    validateCreate: (object, context) => own.validate?.(object as Fields, undefined, context) ?? [],
    validateUpdate: (object, old, context) => [
      ...(own.validateUpdate?.(object as Fields, old as Fields, context) ?? []),
      ...(own.validate?.(object as Fields, old as Fields, context) ?? []),
    ],
    ...lifeCycleHooks(own),
  };
}

function lifeCycleHooks(own: KindStrategy): Partial<WriteStrategy> {
  const { release, afterDelete, graceSeconds } = own;
  return {
    ...(release === undefined ? {} : { release: (object) => release(object as Fields) }),
    ...(afterDelete === undefined ? {} : { afterDelete: (object) => afterDelete(object as Fields) }),
    ...own.deletion,
    ...(graceSeconds === undefined
      ? {}
      : { graceSeconds: (object, requested) => graceSeconds(object as Fields, requested) }),
  };
}

async function prepareMainWrite(
  options: KindOptions,
  object: KubeObject,
  stored: Frozen<KubeObject>,
  context: WriteContext,
): Promise<void> {
  const old = stored as Fields;
  if (options.status === true) put(object, 'status', old.status);
  await options.strategy?.prepareUpdate?.(object, old, context);
  if (options.generation === undefined) return;
  const before = stored.metadata.generation ?? 0;
  const meta = options.generationMeta;
  const changed =
    options.generation.some((key) => !deepEqual(object[key], old[key])) ||
    (meta !== undefined && !deepEqual(object.metadata[meta] ?? {}, stored.metadata[meta] ?? {}));
  child(object, 'metadata').generation = changed ? before + 1 : before;
}

/** Returns the strategy of /status: only status and metadata change. */
function statusStrategy(own: KindStrategy): WriteStrategy {
  return {
    prepareForUpdate(object, stored, context) {
      const old = stored as Fields;
      for (const key of new Set([...Object.keys(object), ...Object.keys(old)])) {
        if (!statusKeys.has(key)) put(object, key, old[key]);
      }
      own.prepareStatus?.(object, old, context);
    },
    validateUpdate: (object, old, context) => own.validateStatus?.(object as Fields, old as Fields, context) ?? [],
  };
}

const statusKeys = new Set(['apiVersion', 'kind', 'metadata', 'status']);
const partVerbs: readonly Verb[] = ['get', 'patch', 'update'];

/** Returns a subresource that writes a part of the object with a separate strategy. */
export function partOf(options: KindNames, name: string, part: WriteStrategy): Subresource {
  const { group, kind, version = 'v1' } = options;
  return { name, kind: { group, version, kind }, verbs: partVerbs, part };
}

/** Replaces the strategy of a kind with an external one. Typed decoding still applies. */
export function borrowStrategies(
  definition: ResourceDefinition,
  main: WriteStrategy,
  parts: Readonly<Record<string, WriteStrategy>> = {},
): ResourceDefinition {
  const { group, kind, storageVersion: version } = definition;
  const message = messageOfKind(group, version, kind) ?? '';
  const kept = definition.subresources.filter(({ name }) => !Object.hasOwn(parts, name));
  return {
    ...definition,
    strategy: {
      ...main,
      setDefaults(object) {
        decodeTyped(message, object);
        main.setDefaults?.(object);
        completeTyped(message, asJson(object));
      },
    },
    subresources: [
      ...kept,
      ...Object.entries(parts).map(([name, part]) => partOf({ group, kind, version }, name, part)),
    ],
  };
}
