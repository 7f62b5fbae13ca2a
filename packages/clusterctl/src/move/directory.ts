import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Frozen, type KubeObject, parseApiVersion, parseYamlValue } from '@slipway/kube';
import { ifPresent, type Client, type RequestOptions } from '@slipway/runtime';
import { untilUnblocked } from './block-move.js';
import { checkSource } from './checks.js';
import { copyObject } from './copy.js';
import { discoverMove } from './discover.js';
import { buildMoveGraph, type FoundObject, type MoveGraph, type MoveNode } from './graph.js';
import type { MoveOptions } from './move.js';
import { MoveError } from './move-error.js';
import { describeProblems, ensureNamespaces, type MoveReport, reportOf, textOf } from './move-report.js';
import { isPausable, setPaused } from './pause.js';

type Common = Pick<MoveOptions, 'clock' | 'namespace' | 'cluster' | 'signal' | 'onProgress'>;

/** Writes the objects to files, as clusterctl does: one per object, readable only by the user. */
export async function moveToDirectory(from: Client, directory: string, options: Common): Promise<MoveReport> {
  const request = requestOf(options);
  const problems = checkSource(await discoverMove(from, options));
  if (problems.length > 0) throw new MoveError('Refused', describeProblems(problems), { problems });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const found = await discoverMove(from, options);
  const held = found.levels.flat().filter(({ resource }) => isPausable(resource));
  try {
    for (const { resource, namespace, name } of held)
      await setPaused(from, resource, { namespace, name }, true, request);
    await untilUnblocked({
      client: from,
      clock: options.clock,
      discover: () => discoverMove(from, options),
      ...request,
    });
    const graph = await discoverMove(from, options);
    const nodes = graph.levels.flat();
    for (const [index, node] of nodes.entries()) {
      options.signal?.throwIfAborted();
      options.onProgress?.({ phase: 'copying', done: index, total: nodes.length, object: textOf(node) });
      await writeFile(join(directory, fileNameOf(node)), `${JSON.stringify(node.object)}\n`, { mode: 0o600 });
    }
    return { ...reportOf(graph), problems: [] };
  } finally {
    for (const { resource, namespace, name } of held) await setPaused(from, resource, { namespace, name }, false, {});
  }
}

function fileNameOf({ object, namespace, name }: MoveNode): string {
  return `${object.kind}_${namespace}_${name}.yaml`;
}

/** Creates the objects of the files. Existing objects are kept, so that the command can be run again after a failure. */
export async function moveFromDirectory(to: Client, directory: string, options: Common): Promise<MoveReport> {
  const request = requestOf(options);
  const graph = buildMoveGraph(await readObjects(to, directory), { namespace: '' });
  const nodes = graph.levels.flat();
  if (nodes.length === 0) throw new MoveError('Directory', `no objects to move in directory ${directory}`);
  await ensureNamespaces(to, graph, request);
  const newUids = new Map<string, string>();
  const made: MoveNode[] = [];
  for (const [index, node] of nodes.entries()) {
    options.signal?.throwIfAborted();
    options.onProgress?.({ phase: 'copying', done: index, total: nodes.length, object: textOf(node) });
    const { resource, namespace, name } = node;
    const existing = await ifPresent(to.get(resource, { namespace, name }, request));
    if (existing === undefined) made.push(node);
    newUids.set(node.uid, existing?.metadata.uid ?? (await copyObject(to, node, newUids, request)));
  }
  for (const { resource, namespace, name } of nodes.filter((node) => isPausable(node.resource)))
    await setPaused(to, resource, { namespace, name }, false, request);
  const { moved, kept } = reportOf({ levels: [made], left: [] } satisfies MoveGraph);
  return { moved, kept, left: [], problems: [] };
}

async function readObjects(to: Client, directory: string): Promise<FoundObject[]> {
  const files = (await readdir(directory)).filter((name) => name.endsWith('.yaml')).sort();
  const found: FoundObject[] = [];
  for (const file of files) {
    const object = parseYamlValue(
      await readFile(join(directory, file), 'utf8'),
    ) as unknown as Frozen<KubeObject> | null;
    if (typeof object?.kind !== 'string' || typeof object.metadata?.name !== 'string')
      throw new MoveError('Directory', `${join(directory, file)} does not contain a Kubernetes object`);
    const { kind, apiVersion } = object;
    const resource = await to.resourceFor({ ...parseApiVersion(apiVersion), kind });
    if (resource === undefined)
      throw new MoveError(
        'Directory',
        `${join(directory, file)}: the target cluster does not serve kind ${kind} of ${apiVersion}`,
        {
          remedy: 'install the provider of this kind in the target cluster first',
        },
      );
    found.push({ resource, object, kindMoves: 'alone' });
  }
  return found;
}

function requestOf({ signal }: RequestOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}
