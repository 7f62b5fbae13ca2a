import {
  customResourceDefinitions,
  type Client,
  configMaps,
  ifPresent,
  namespaces,
  type Resource,
  secrets,
} from '@slipway/runtime';
import type { Observed } from './object-ref.js';
import { NotFoundError } from './read-objects.js';

/** Object arguments as kubectl accepts them: `machine/a`, `machine a`, `kcp/a`, `devmachines.infrastructure.cluster.x-k8s.io/a`. */
export interface ObjectArguments {
  readonly type: string;
  readonly name: string;
}

/** Short names of resource types. Only the metadata of CRDs is read, and it does not contain the short names. */
const shortNames: Readonly<Record<string, string>> = {
  cl: 'clusters',
  cc: 'clusterclasses',
  ma: 'machines',
  ms: 'machinesets',
  md: 'machinedeployments',
  mp: 'machinepools',
  mhc: 'machinehealthchecks',
  kcp: 'kubeadmcontrolplanes',
  crs: 'clusterresourcesets',
};

/** Parses object arguments. A name alone selects a Cluster. Returns undefined if the arguments are not an object reference. */
export function parseObjectArguments(args: readonly string[]): ObjectArguments | undefined {
  const [first = '', second] = args;
  if (args.length > 2) return undefined;
  if (second !== undefined) return first.includes('/') ? undefined : { type: first.toLowerCase(), name: second };
  const [type = '', name, ...rest] = first.split('/');
  if (name === undefined) return type === '' ? undefined : { type: 'clusters', name: type };
  return type === '' || name === '' || rest.length > 0 ? undefined : { type: type.toLowerCase(), name };
}

export interface FoundObject {
  readonly resource: Resource;
  readonly object: Observed;
}

/** Finds the object that the arguments select. Throws NotFoundError with a message for the user. */
export async function findByArguments(
  client: Client,
  { type, name }: ObjectArguments,
  namespace: string,
  signal?: AbortSignal,
): Promise<FoundObject> {
  const resource = await resourceByArgument(client, type, signal);
  const where = resource.namespaced ? namespace : '';
  const object = await ifPresent(client.get(resource, { namespace: where, name }, { signal }));
  if (object !== undefined) return { resource, object };
  throw new NotFoundError(`${resource.kind} ${name} not found${where === '' ? '' : ` in namespace ${where}`}`);
}

const builtin: readonly Resource[] = [secrets, configMaps, namespaces];

async function resourceByArgument(client: Client, type: string, signal: AbortSignal | undefined): Promise<Resource> {
  const known = builtin.find(({ kind, plural }) => type === plural || type === kind.toLowerCase());
  if (known !== undefined) return known;
  const arg = shortNames[type] ?? type;
  const { items } = await client.list(customResourceDefinitions, { metadataOnly: true, signal });
  const fitting = items.map(({ metadata }) => metadata.name ?? '').filter((name) => fits(name, arg));
  const [definition, other] = preferred(fitting);
  if (definition === undefined)
    throw new NotFoundError(`the server does not have a resource type ${JSON.stringify(type)}`);
  if (other !== undefined)
    throw new NotFoundError(`resource type ${JSON.stringify(type)} is ambiguous: use one of ${fitting.join(', ')}`);
  const { spec } = await client.get(customResourceDefinitions, { namespace: '', name: definition }, { signal });
  const version = (spec.versions.find(({ storage }) => storage) ?? spec.versions[0])?.name ?? '';
  const { kind, plural } = spec.names;
  return { group: spec.group, version, kind, plural, namespaced: spec.scope === 'Namespaced' };
}

/** Returns the names in Cluster API's own group if several groups have a resource of the same name. */
function preferred(names: readonly string[]): readonly string[] {
  const own = names.filter((name) => name.endsWith('.cluster.x-k8s.io'));
  return own.length > 0 ? own : names;
}

function fits(definition: string, arg: string): boolean {
  const dot = definition.indexOf('.');
  const [plural, group] = [definition.slice(0, dot), definition.slice(dot)];
  const isPlural = (text: string): boolean => plural === text || singularsOf(plural).includes(text);
  return arg.includes('.') ? arg.endsWith(group) && isPlural(arg.slice(0, -group.length)) : isPlural(arg);
}

function singularsOf(plural: string): readonly string[] {
  return [plural.replace(/s$/, ''), plural.replace(/es$/, ''), plural.replace(/ies$/, 'y')].filter(
    (text) => text !== plural,
  );
}
