import type { Clock, Random } from '@slipway/base';
import { formatTime, type Frozen, generateUid, type KubeObject } from '@slipway/kube';
import { type Client, ifPresent, type RequestOptions } from '@slipway/runtime';
import { listInstalled } from '../inventory/index.js';
import { untilUnblocked } from './block-move.js';
import { checkClash, checkProviders, checkSource, type MoveProblem, type WaivableCheck } from './checks.js';
import { copyObject, differenceIn } from './copy.js';
import { discoverMove } from './discover.js';
import type { MoveGraph, MoveNode } from './graph.js';
import {
  clusterIdOf,
  type Journal,
  journalObjects,
  type JournalObject,
  JournalStore,
  resourceOfJournal,
} from './journal.js';
import { MoveError } from './move-error.js';
import { describeProblems, ensureNamespaces, type MoveReport, reportOf, textOf } from './move-report.js';
import { isAtRest, isPausable, setPaused } from './pause.js';
import { removeForMove } from './remove.js';

export interface MoveOptions extends RequestOptions {
  readonly from: Client;
  readonly to: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** The namespace to move. Empty for all namespaces. */
  readonly namespace: string;
  /** If set, only this Cluster is moved. */
  readonly cluster?: string;
  readonly waived?: ReadonlySet<WaivableCheck>;
  readonly onProgress?: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly phase: 'undoing' | 'checking' | 'pausing' | 'copying' | 'verifying' | 'switching' | 'deleting' | 'done';
  readonly done: number;
  readonly total: number;
  /** The current object, such as `Cluster default/a`. */
  readonly object?: string;
}

/**
 * Moves Clusters with all of their objects: check, pause the source, copy, verify, switch, delete. A failure before the switch is
 * rolled back. After the switch, running the move again completes it. Two management clusters never reconcile the same Cluster at
 * the same time.
 */
export async function move(options: MoveOptions): Promise<MoveReport> {
  const { from, to, namespace } = options;
  const journals = new JournalStore(from, namespace);
  const target = await clusterIdOf(to);
  if (target === (await clusterIdOf(from)))
    throw new MoveError('SameCluster', 'source and target are the same cluster');
  const unfinished = await journals.read();
  if (unfinished !== undefined) {
    if (unfinished.target !== target)
      throw new MoveError(
        'OtherMove',
        `a move to another cluster, started at ${unfinished.startedAt}, is not complete`,
        {
          remedy: 'run the move with that cluster as the target: this completes the move or rolls it back',
        },
      );
    if (unfinished.phase === 'switched') return complete(options, journals, unfinished);
    await undo(options, journals, unfinished);
  }
  await refuseIncoming(journals);
  return moveFromStart(options, journals, target);
}

/** Returns the objects to move and the problems that prevent it, including those of the target if given. Changes nothing. */
export async function previewMove(options: Omit<MoveOptions, 'to'> & { readonly to?: Client }): Promise<MoveReport> {
  const { to, ...rest } = options;
  const found = await discoverMove(options.from, options);
  const problems = to === undefined ? checkSource(found) : await checkAll({ ...rest, to }, found);
  return { ...reportOf(found), problems: notWaived(problems, options) };
}

function notWaived(problems: readonly MoveProblem[], { waived }: Pick<MoveOptions, 'waived'>): MoveProblem[] {
  return problems.filter(({ check }) => waived?.has(check as WaivableCheck) !== true);
}

async function refuseIncoming(journals: JournalStore): Promise<void> {
  const incoming = await journals.incoming();
  if (incoming === undefined) return;
  throw new MoveError('IncomingMove', 'another move into the source cluster is not complete', {
    remedy:
      'run that move again from its source, or delete the ConfigMap slipway-move-incoming if its source no longer exists',
  });
}

async function moveFromStart(options: MoveOptions, journals: JournalStore, target: string): Promise<MoveReport> {
  const { from, clock, random } = options;
  reportProgress(options, 'checking', 0, 1);
  const found = await discoverMove(from, options);
  const problems = notWaived(await checkAll(options, found), options);
  if (problems.length > 0) throw new MoveError('Refused', describeProblems(problems), { problems });
  if (found.levels.length === 0) return { ...reportOf(found), problems: [] };
  const start = { id: generateUid(random), target, startedAt: formatTime(clock.now()) };
  const facts = (node: MoveNode) => ({
    wasThere: false,
    wasPaused: isPausable(node.resource) && isAtRest(node.object),
  });
  let journal: Journal = { ...start, phase: 'pausing', objects: journalObjects(found, facts) };
  await journals.write(journal);
  let graph: MoveGraph;
  try {
    ({ journal, graph } = await prepare(options, journals, journal, facts));
    await copyAll(options, graph);
    await verifyAll(options, graph);
    options.signal?.throwIfAborted();
  } catch (error) {
    throw await undone(options, journals, journal, error);
  }
  journal = { ...journal, phase: 'switched' };
  await journals.write(journal);
  return { ...(await complete(options, journals, journal)), left: reportOf(graph).left };
}

/** Pauses the source and discovers the objects again, because they may have changed before the pause. */
async function prepare(
  options: MoveOptions,
  journals: JournalStore,
  journal: Journal,
  facts: (node: MoveNode) => { wasThere: boolean; wasPaused: boolean },
): Promise<{ journal: Journal; graph: MoveGraph }> {
  const { from, to, clock, namespace } = options;
  const paused = new Set(journal.objects.filter(({ wasPaused }) => wasPaused).map(textOf));
  await pauseSource(options, journal.objects);
  await untilUnblocked({ client: from, clock, discover: () => discoverMove(from, options), ...signalOf(options) });
  const graph = await discoverMove(from, options);
  const existing = await existingInTarget(to, graph, options);
  const objects = journalObjects(graph, (node) => {
    const text = textOf(node);
    return { ...facts(node), wasPaused: paused.has(text), wasThere: existing.has(text) };
  });
  const copying: Journal = { ...journal, phase: 'copying', objects };
  await journals.write(copying);
  await ensureNamespaces(to, graph, signalOf(options));
  await new JournalStore(to, namespace).announce(journal.id);
  return { journal: copying, graph };
}

async function pauseSource(options: MoveOptions, objects: readonly JournalObject[]): Promise<void> {
  const held = objects.filter((object) => isPausable(resourceOfJournal(object)) && !object.wasPaused);
  await eachInTurn(options, 'pausing', held, (object) =>
    setPaused(options.from, resourceOfJournal(object), object, true, signalOf(options)),
  );
}

async function checkAll(options: MoveOptions, graph: MoveGraph): Promise<MoveProblem[]> {
  const { from, to } = options;
  const request = signalOf(options);
  const problems = checkSource(graph);
  problems.push(...checkProviders(await listInstalled(from, request), await listInstalled(to, request)));
  const served = new Map<string, boolean>();
  for (const node of graph.levels.flat()) {
    const { resource, namespace, name } = node;
    const { group, version, kind } = resource;
    const text = `${kind} of ${group === '' ? version : `${group}/${version}`}`;
    if (!served.has(text)) served.set(text, (await to.resourceFor({ group, version, kind })) !== undefined);
    if (served.get(text) === true)
      problems.push(...checkClash(node, await ifPresent(to.get(resource, { namespace, name }, request))));
  }
  for (const [text, isServed] of served)
    if (!isServed) problems.push({ check: 'kinds', message: `the target cluster does not serve kind ${text}` });
  return problems;
}

async function existingInTarget(client: Client, graph: MoveGraph, options: MoveOptions): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const node of graph.levels.flat()) {
    const { resource, namespace, name } = node;
    if ((await ifPresent(client.get(resource, { namespace, name }, signalOf(options)))) !== undefined)
      found.add(textOf(node));
  }
  return found;
}

async function copyAll(options: MoveOptions, { levels }: MoveGraph): Promise<void> {
  const newUids = new Map<string, string>();
  // Copy sequentially, owners first: the garbage collector would delete dependents of a missing owner.
  await eachInTurn(options, 'copying', levels.flat(), async (node) => {
    newUids.set(node.uid, await copyObject(options.to, node, newUids, signalOf(options)));
  });
}

/** Compares the copies with the current source, which may have changed despite the pause. */
async function verifyAll(options: MoveOptions, { levels }: MoveGraph): Promise<void> {
  const wrong: string[] = [];
  const request = signalOf(options);
  await eachInTurn(options, 'verifying', levels.flat(), async (node) => {
    if (node.isGlobal || node.stays) return;
    const { resource, namespace, name } = node;
    const now: Frozen<KubeObject> | undefined = await ifPresent(
      options.from.get(resource, { namespace, name }, request),
    );
    const difference =
      now === undefined
        ? 'no longer exists in the source'
        : await differenceIn(options.to, { ...node, object: now }, request);
    if (difference !== undefined) wrong.push(`${textOf(node)}: ${difference}`);
  });
  if (wrong.length > 0)
    throw new MoveError('NotEqual', `the copied objects do not match the source:\n${wrong.join('\n')}`);
}

/** Unpauses the target, then deletes the source objects. Every step is idempotent. */
async function complete(options: MoveOptions, journals: JournalStore, journal: Journal): Promise<MoveReport> {
  const { from, to, namespace } = options;
  const request = signalOf(options);
  const resumed = journal.objects.filter(
    (each) => isPausable(resourceOfJournal(each)) && !each.wasPaused && !each.wasThere,
  );
  try {
    await eachInTurn(options, 'switching', resumed, (object) =>
      setPaused(to, resourceOfJournal(object), object, false, request),
    );
    await emptySource(options, journal);
    // Unpause objects that stay in the source: they were paused only for the copy.
    for (const object of journal.objects.filter(({ stays, wasPaused }) => stays && !wasPaused))
      if (isPausable(resourceOfJournal(object)))
        await setPaused(from, resourceOfJournal(object), object, false, request);
    await new JournalStore(to, namespace).withdraw();
    await journals.remove();
  } catch (error) {
    if (error instanceof MoveError && error.reason === 'OtherMove') throw error;
    throw new MoveError(
      'Incomplete',
      `the target cluster manages the objects, but they could not all be deleted from the source: ${messageOf(error)}`,
      {
        remedy: 'run the same move again: it resumes where this one stopped',
        cause: error,
      },
    );
  }
  reportProgress(options, 'done', 1, 1);
  const moved = journal.objects.filter(({ isGlobal, stays }) => !isGlobal && !stays).map(textOf);
  const kept = journal.objects.filter(({ isGlobal, stays }) => isGlobal || stays).map(textOf);
  return { moved, kept, left: [], problems: [] };
}

const passesMax = 3;

/** Deletes the source objects. Repeats the deletion if a controller that ignores the pause re-creates an object. */
async function emptySource(options: MoveOptions, { objects }: Journal): Promise<void> {
  const { from } = options;
  const request = signalOf(options);
  let deleting: readonly JournalObject[] = objects.filter(({ isGlobal, stays }) => !isGlobal && !stays).reverse();
  for (let pass = 0; deleting.length > 0; pass += 1) {
    if (pass === passesMax)
      throw new Error(
        `a controller created these objects again after their deletion: ${deleting.map(textOf).join(', ')}`,
      );
    await eachInTurn(options, 'deleting', deleting, (object) =>
      removeForMove(from, resourceOfJournal(object), object, request),
    );
    const left: JournalObject[] = [];
    for (const object of deleting)
      if ((await ifPresent(from.get(resourceOfJournal(object), object, request))) !== undefined) left.push(object);
    deleting = left;
  }
}

async function undone(
  options: MoveOptions,
  journals: JournalStore,
  journal: Journal,
  error: unknown,
): Promise<unknown> {
  const { signal: _signal, ...rest } = options;
  try {
    await undo(rest, journals, journal);
  } catch (failure) {
    if (failure instanceof MoveError && failure.reason === 'OtherMove') return failure;
    return new MoveError('NotUndone', `${messageOf(error)}; the rollback of the move failed: ${messageOf(failure)}`, {
      remedy: 'run the same move again: it completes the rollback first',
      cause: error,
    });
  }
  return new MoveError(
    'Undone',
    `${messageOf(error)}; the move was rolled back and the source still manages the objects`,
    { cause: error },
  );
}

/** Deletes the copies from the target, then unpauses the source. */
async function undo(options: MoveOptions, journals: JournalStore, journal: Journal): Promise<void> {
  const { from, to, namespace } = options;
  const request = signalOf(options);
  // Take over the journal, so that an earlier process that still runs can no longer switch.
  await journals.write(journal);
  const objects = journal.objects.toReversed();
  const copied = journal.phase === 'pausing' ? [] : objects.filter(({ wasThere }) => !wasThere);
  await eachInTurn(options, 'undoing', copied, async (object) => {
    const resource = resourceOfJournal(object);
    const { group, version, kind } = resource;
    if ((await to.resourceFor({ group, version, kind })) !== undefined)
      await removeForMove(to, resource, object, request);
  });
  for (const object of objects.filter(({ wasPaused }) => !wasPaused))
    if (isPausable(resourceOfJournal(object))) await setPaused(from, resourceOfJournal(object), object, false, request);
  await new JournalStore(to, namespace).withdraw();
  await journals.remove();
}

async function eachInTurn<T extends { readonly namespace: string; readonly name: string }>(
  options: MoveOptions,
  phase: MoveProgress['phase'],
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  for (const [index, item] of items.entries()) {
    options.signal?.throwIfAborted();
    options.onProgress?.({ phase, done: index, total: items.length, object: textOf(item) });
    await work(item);
  }
}

function reportProgress({ onProgress }: MoveOptions, phase: MoveProgress['phase'], done: number, total: number): void {
  onProgress?.({ phase, done, total });
}

function signalOf({ signal }: RequestOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
