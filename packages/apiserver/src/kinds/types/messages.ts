import type { JsonValue } from '@slipway/kube';
import data from '../data/types.json' with { type: 'json' };

type FieldShape = 'singular' | 'repeated' | 'map';

/** One field of a built-in type, as the wire formats and the schema need it. */
export interface MessageField {
  /** The JSON name. For an inlined message, its protobuf name. */
  readonly name: string;
  readonly number: number;
  readonly shape: FieldShape;
  /** A scalar (`string`, `int32`, `int64`, `bool`, `bytes`, `double`) or the full name of a message. */
  readonly type: string;
  /** Whether the Go field is a pointer: an absent value then differs from zero. */
  readonly pointer: boolean;
  /** Whether the Go field has omitempty: JSON omits the zero value. */
  readonly omitEmpty: boolean;
  /** Whether the message is inlined: its fields belong to the parent in JSON, but to a separate message in protobuf. */
  readonly inline: boolean;
  readonly required: boolean;
  readonly listType: 'atomic' | 'set' | 'map' | undefined;
  readonly listMapKeys: readonly string[] | undefined;
  readonly atomic: boolean;
  readonly patchStrategy: string | undefined;
  readonly mergeKey: string | undefined;
  readonly default: JsonValue | undefined;
}

export interface MessageType {
  readonly name: string;
  readonly fields: readonly MessageField[];
  readonly byNumber: ReadonlyMap<number, MessageField>;
  /** Whether the type is atomic for server-side apply. */
  readonly atomic: boolean;
  /** Whether JSON objects of the type have apiVersion and kind. Protobuf keeps them in the envelope. */
  readonly isKind: boolean;
}

interface FieldFacts {
  readonly l?: string;
  readonly k?: readonly string[];
  readonly t?: string;
  readonly s?: string;
  readonly m?: string;
  readonly d?: JsonValue;
}

type FieldRow = readonly [name: string, number: number, type: string, flags: string, facts?: FieldFacts];

// TypeScript would infer a huge union from two thousand rows; a test validates every row instead.
const table = data as unknown as {
  readonly messages: Readonly<Record<string, readonly FieldRow[]>>;
  readonly atomic: readonly string[];
  readonly kinds: readonly string[];
};

const atomicMessages = new Set(table.atomic);
const kindMessages = new Set(table.kinds);
const cache = new Map<string, MessageType>();

/** Returns the type of a message name such as `k8s.io.api.core.v1.Pod`. It is built on first use. */
export function messageType(name: string): MessageType {
  const type = findMessageType(name);
  if (type === undefined) throw new Error(`no built-in type ${name}`);
  return type;
}

function findMessageType(name: string): MessageType | undefined {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const rows = Object.hasOwn(table.messages, name) ? table.messages[name] : undefined;
  if (rows === undefined) return undefined;
  const fields = rows.map(fieldOf);
  const type: MessageType = {
    name,
    fields,
    byNumber: new Map(fields.map((field) => [field.number, field])),
    atomic: atomicMessages.has(name),
    isKind: kindMessages.has(name),
  };
  cache.set(name, type);
  return type;
}

export function messageNames(): readonly string[] {
  return Object.keys(table.messages);
}

export function isScalar(type: string): boolean {
  return !type.includes('.');
}

const mapPrefix = 'map<string,';

function shapeOf(type: string): { readonly shape: FieldShape; readonly type: string } {
  if (type.startsWith('[]')) return { shape: 'repeated', type: type.slice(2) };
  if (type.startsWith(mapPrefix)) return { shape: 'map', type: type.slice(mapPrefix.length, -1) };
  return { shape: 'singular', type };
}

function fieldOf(row: FieldRow): MessageField {
  const [name, number, declared, flags, facts = {}] = row;
  const { shape, type } = shapeOf(declared);
  return {
    name,
    number,
    shape,
    type,
    pointer: flags.includes('p'),
    omitEmpty: flags.includes('o'),
    inline: flags.includes('i'),
    required: flags.includes('r'),
    listType: facts.l as MessageField['listType'],
    listMapKeys: facts.k,
    atomic: facts.t === 'atomic',
    patchStrategy: facts.s,
    mergeKey: facts.m,
    default: facts.d,
  };
}

const groupPackages: Readonly<Record<string, string>> = {
  '': 'k8s.io.api.core',
  'apiextensions.k8s.io': 'k8s.io.apiextensions_apiserver.pkg.apis.apiextensions',
  'apiregistration.k8s.io': 'k8s.io.kube_aggregator.pkg.apis.apiregistration',
  'meta.k8s.io': metaPackageRoot(),
  'internal.apiserver.k8s.io': 'k8s.io.api.apiserverinternal',
};

function metaPackageRoot(): string {
  return 'k8s.io.apimachinery.pkg.apis.meta';
}

// Kinds without a fixed group version: DeleteOptions has that of the request (`apps/v1 DeleteOptions`), discovery documents have
// none.
const metaKinds = new Set([
  'APIGroup',
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'Status',
  'UpdateOptions',
  'WatchEvent',
  'PartialObjectMetadata',
  'PartialObjectMetadataList',
]);

/** Returns the message name of a kind, or undefined for kinds without one (custom resources). */
export function messageOfKind(group: string, version: string, kind: string): string | undefined {
  if (metaKinds.has(kind)) return `${metaPackageRoot()}.v1.${kind}`;
  const root = Object.hasOwn(groupPackages, group) ? groupPackages[group] : `k8s.io.api.${group.split('.')[0]}`;
  const name = `${root}.${version}.${kind}`;
  return Object.hasOwn(table.messages, name) ? name : undefined;
}
