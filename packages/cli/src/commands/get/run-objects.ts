import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import type { ObjectKey } from '@slipway/runtime';
import { type ObjectArgument, parseObjectArguments } from '../../clusters/object-arguments.js';
import { findServed, objectName, type ServedResource, servedResources } from '../../clusters/served-resources.js';
import { type Target, withTarget } from '../../connection/index.js';
import { CliError, exitCodes } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import type { GetObjectsOptions } from './command.js';
import { type ServerTable, tableText } from './table.js';

/** One request: all objects of a type, or one object. */
interface Query {
  readonly resource: ServedResource;
  readonly namespace: string;
  readonly name?: string;
}

type Found = Frozen<KubeObject>;

const acceptTable = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

/** Lists objects of any type that the server serves. */
export async function getObjects(args: readonly string[], options: GetObjectsOptions): Promise<void> {
  const parsed = parseObjectArguments(args);
  if (options.watch && (parsed.length !== 1 || (options.output !== undefined && options.output !== 'wide')))
    throw new CliError('--watch requires exactly one resource type or object, and table output', {
      exitCode: exitCodes.usage,
    });
  await withTarget({ ...options, hideApiWarnings: 'none' }, async (target, signal) => {
    const served = await servedResources(target.client, signal);
    const queries = parsed.flatMap((argument) => queriesOf(argument, served, target, options));
    if (options.output === undefined || options.output === 'wide') {
      await printTables(target, queries, options, signal);
      const [query] = queries;
      if (options.watch && query !== undefined) await watchTable(target, query, options, signal);
      return;
    }
    const found = await Promise.all(queries.map((query) => objectsOf(target, query, options, signal)));
    if (options.output === 'name') process.stdout.write(namesText(queries, found));
    else await printFound(queries, found.flat(), options.output);
  });
}

function queriesOf(
  { type, name }: ObjectArgument,
  served: readonly ServedResource[],
  target: Target,
  options: GetObjectsOptions,
): readonly Query[] {
  const all = options.allNamespaces && name === undefined;
  if (options.allNamespaces && name !== undefined)
    throw new CliError('a resource cannot be retrieved by name across all namespaces', {
      remedy: 'use -n instead of -A',
      exitCode: exitCodes.usage,
    });
  return findServed(served, type).map((resource) => ({
    resource,
    namespace: resource.namespaced && !all ? target.namespace : '',
    ...(name !== undefined && { name }),
  }));
}

async function printTables(
  target: Target,
  queries: readonly Query[],
  options: GetObjectsOptions,
  signal: AbortSignal,
): Promise<void> {
  const tables = await Promise.all(queries.map((query) => tableOf(target, query, options, signal)));
  const texts = tables.map((table, index) => {
    const resource = queries[index]?.resource;
    const namePrefix = queries.length > 1 && resource !== undefined ? objectName(resource, '') : '';
    return tableText(table, { ...layoutOf(queries[index], options), namePrefix });
  });
  const text = texts.filter((part) => part !== '').join('\n');
  if (text !== '') process.stdout.write(text);
  else if (!options.watch) process.stderr.write(emptyText(queries, options));
}

function layoutOf(query: Query | undefined, options: GetObjectsOptions): { wide: boolean; withNamespace: boolean } {
  return {
    wide: options.output === 'wide',
    withNamespace: options.allNamespaces && query?.resource.namespaced === true,
  };
}

function emptyText(queries: readonly Query[], options: GetObjectsOptions): string {
  const namespace = queries.find(({ resource }) => resource.namespaced)?.namespace ?? '';
  return options.allNamespaces || namespace === ''
    ? 'No resources found\n'
    : `No resources found in ${namespace} namespace.\n`;
}

async function tableOf(
  { client }: Target,
  { resource, namespace, name }: Query,
  { selector }: Pick<GetObjectsOptions, 'selector'>,
  signal: AbortSignal,
): Promise<ServerTable> {
  const query = selector === undefined ? '' : `?labelSelector=${encodeURIComponent(selector)}`;
  const text = await client.getRaw(`${pathOf({ resource, namespace, name })}${query}`, {
    accept: acceptTable,
    signal,
  });
  return JSON.parse(text) as ServerTable;
}

function pathOf({ resource, namespace, name }: Query): string {
  const { group, version, plural } = resource;
  const parts = [
    ...(group === '' ? ['api', version] : ['apis', group, version]),
    ...(namespace === '' ? [] : ['namespaces', namespace]),
    plural,
    ...(name === undefined ? [] : [name]),
  ];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

async function objectsOf(
  { client }: Target,
  { resource, namespace, name }: Query,
  { selector }: GetObjectsOptions,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  if (name !== undefined) return [await client.get(resource, { namespace, name }, { signal })];
  const { items } = await client.list(resource, { namespace, labelSelector: selector, signal });
  return items;
}

function namesText(queries: readonly Query[], found: readonly (readonly Found[])[]): string {
  return queries
    .flatMap(({ resource }, index) =>
      (found[index] ?? []).map(({ metadata }) => `${objectName(resource, metadata.name ?? '')}\n`),
    )
    .join('');
}

/** Prints a single named object as itself, and everything else as a List. */
async function printFound(
  queries: readonly Query[],
  objects: readonly Found[],
  output: 'json' | 'yaml',
): Promise<void> {
  const [object] = objects;
  const isOne = queries.length === 1 && queries[0]?.name !== undefined && object !== undefined;
  await printValue(isOne ? object : { apiVersion: 'v1', kind: 'List', items: objects }, output, () => '');
}

/** Prints a row for every change until Ctrl-C. */
async function watchTable(
  target: Target,
  query: Query,
  options: GetObjectsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { resource, namespace, name } = query;
  const fieldSelector = name === undefined ? undefined : `metadata.name=${name}`;
  let { resourceVersion } = await target.client.list(resource, { namespace, fieldSelector, limit: 1, signal });
  while (!signal.aborted) {
    const watched = { namespace, fieldSelector, labelSelector: options.selector, resourceVersion, signal };
    for await (const events of target.client.watch(resource, { ...watched, metadataOnly: true })) {
      for (const event of events) {
        if (event.type === 'ERROR') throw new CliError(`watch failed: ${event.status.message ?? ''}`);
        resourceVersion =
          event.type === 'BOOKMARK' ? event.resourceVersion : (event.object.metadata.resourceVersion ?? '');
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
        const { namespace: inNamespace = '', name: changed = '' } = event.object.metadata;
        await printRow(target, { resource, namespace: inNamespace, name: changed }, options, signal);
      }
    }
  }
}

async function printRow(
  target: Target,
  query: Query & ObjectKey,
  options: GetObjectsOptions,
  signal: AbortSignal,
): Promise<void> {
  try {
    const table = await tableOf(target, query, {}, signal);
    process.stdout.write(tableText(table, { ...layoutOf(query, options), withHeadings: false }));
  } catch (error) {
    if (!signal.aborted && !isReason(error, 'NotFound')) throw error;
  }
}
