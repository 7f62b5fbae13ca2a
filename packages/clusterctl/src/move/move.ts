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
  /** '' for all. */
  readonly namespace: string;
  /** Only this Cluster. */
  readonly cluster?: string;
  readonly waived?: ReadonlySet<WaivableCheck>;
  readonly onProgress?: (progress: MoveProgress) => void;
}

export interface MoveProgress {
  readonly phase: 'undoing' | 'checking' | 'pausing' | 'copying' | 'verifying' | 'switching' | 'deleting' | 'done';
  readonly done: number;
  readonly total: number;
  /** What it is about, as `Cluster default/a`. */
  readonly object?: string;
}

/**
 * Moves Clusters with all that belongs to them: check, hold the source, copy, verify, switch, delete. Until the switch every
 * failure leaves the source as it was; after it, whatever is left undone is done by moving again. At no time do two
 * management clusters act on one Cluster.
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
      throw new MoveError('OtherMove', `a move to another cluster, begun ${unfinished.startedAt}, is not complete`, {
        remedy: 'name that cluster as the target, and it is completed or undone',
      });
    if (unfinished.phase === 'switched') return complete(options, journals, unfinished);
    await undo(options, journals, unfinished);
  }
  await refuseIncoming(journals);
  return moveFromStart(options, journals, target);
}

/** What would move, and what stands in the way: in the target too, if there is one. Nothing is touched. */
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
  throw new MoveError('IncomingMove', 'a move into this cluster is not complete', {
    remedy: 'run that move again from its source, or delete ConfigMap slipway-move-incoming if its source is lost',
  });
}

async function moveFromStart(options: MoveOptions, journals: JournalStore, target: string): Promise<MoveReport> {
  const { from, clock, random } = options;
  tell(options, 'checking', 0, 1);
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

/** Holds the source, and looks again: only what is held does not change any more. */
async function prepare(
  options: MoveOptions,
  journals: JournalStore,
  journal: Journal,
  facts: (node: MoveNode) => { wasThere: boolean; wasPaused: boolean },
): Promise<{ journal: Journal; graph: MoveGraph }> {
  const { from, to, clock, namespace } = options;
  const paused = new Set(journal.objects.filter(({ wasPaused }) => wasPaused).map(textOf));
  await pauseSource(options, journal.objects);
  await untilUnblocked({ client: from, clock, look: () => discoverMove(from, options), ...signalOf(options) });
  const graph = await discoverMove(from, options);
  const there = await alreadyThere(to, graph, options);
  const objects = journalObjects(graph, (node) => {
    const text = textOf(node);
    return { ...facts(node), wasPaused: paused.has(text), wasThere: there.has(text) };
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
    if (!isServed) problems.push({ check: 'kinds', message: `the target serves no ${text}` });
  return problems;
}

async function alreadyThere(client: Client, graph: MoveGraph, options: MoveOptions): Promise<ReadonlySet<string>> {
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
  // One after the other, owners first: an owner that is missing would have its dependents collected.
  await eachInTurn(options, 'copying', levels.flat(), async (node) => {
    newUids.set(node.uid, await copyObject(options.to, node, newUids, signalOf(options)));
  });
}

/** The copy against the source as it is now: somebody may have written to it although it is held. */
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
        ? 'it is gone from the source'
        : await differenceIn(options.to, { ...node, object: now }, request);
    if (difference !== undefined) wrong.push(`${textOf(node)}: ${difference}`);
  });
  if (wrong.length > 0) throw new MoveError('NotEqual', `the copy is not equal to the source:\n${wrong.join('\n')}`);
}

/** The target goes on, then the source is emptied. Every step may have been done before. */
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
    // What stays was held for the time of the copy.
    for (const object of journal.objects.filter(({ stays, wasPaused }) => stays && !wasPaused))
      if (isPausable(resourceOfJournal(object)))
        await setPaused(from, resourceOfJournal(object), object, false, request);
    await new JournalStore(to, namespace).withdraw();
    await journals.remove();
  } catch (error) {
    if (error instanceof MoveError && error.reason === 'OtherMove') throw error;
    throw new MoveError('Incomplete', `the target has taken over; the source is not empty yet: ${messageOf(error)}`, {
      remedy: 'run the same move again: it goes on where this one ended',
      cause: error,
    });
  }
  tell(options, 'done', 1, 1);
  const moved = journal.objects.filter(({ isGlobal, stays }) => !isGlobal && !stays).map(textOf);
  const kept = journal.objects.filter(({ isGlobal, stays }) => isGlobal || stays).map(textOf);
  return { moved, kept, left: [], problems: [] };
}

const passesMax = 3;

/** A controller may make one of them again that it does not take for held: then once more. */
async function emptySource(options: MoveOptions, { objects }: Journal): Promise<void> {
  const { from } = options;
  const request = signalOf(options);
  let going: readonly JournalObject[] = objects.filter(({ isGlobal, stays }) => !isGlobal && !stays).reverse();
  for (let pass = 0; going.length > 0; pass += 1) {
    if (pass === passesMax) throw new Error(`these come back: ${going.map(textOf).join(', ')}`);
    await eachInTurn(options, 'deleting', going, (object) =>
      removeForMove(from, resourceOfJournal(object), object, request),
    );
    const left: JournalObject[] = [];
    for (const object of going)
      if ((await ifPresent(from.get(resourceOfJournal(object), object, request))) !== undefined) left.push(object);
    going = left;
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
    return new MoveError('NotUndone', `${messageOf(error)}; and undoing it failed: ${messageOf(failure)}`, {
      remedy: 'run the same move again: it undoes what is left first',
      cause: error,
    });
  }
  return new MoveError('Undone', `${messageOf(error)}; the source goes on as before`, { cause: error });
}

/** Empties the target again and lets the source go on, in this order. */
async function undo(options: MoveOptions, journals: JournalStore, journal: Journal): Promise<void> {
  const { from, to, namespace } = options;
  const request = signalOf(options);
  // Whoever wrote it before, and may still be at it, cannot switch any more.
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

function tell({ onProgress }: MoveOptions, phase: MoveProgress['phase'], done: number, total: number): void {
  onProgress?.({ phase, done, total });
}

function signalOf({ signal }: RequestOptions): RequestOptions {
  return signal === undefined ? {} : { signal };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
