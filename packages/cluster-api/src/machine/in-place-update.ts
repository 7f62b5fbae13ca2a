import { asJson, type Frozen, type JsonObject, type KubeObject } from '@slipway/kube';
import { done, edit, hasAnnotation, keyOf, type Outcome, ReconcileError, type Resource, wait } from '@slipway/runtime';
import { inPlaceUpdateAnnotations, machineReasons, machines, runtimeAnnotations } from '../api/index.js';
import { type ExtensionClient, type HookCache, pendingHooksOf, pendingHooksText } from '../runtime-extensions/index.js';
import { changeMachine, type MachineScope } from './machine-scope.js';

/** Dependencies of in-place updates. */
export interface InPlaceUpdates {
  readonly extensions: Pick<ExtensionClient, 'handlersOf' | 'callAll'>;
  /** Responses of extensions that requested a retry. */
  readonly deferred: Pick<HookCache, 'get' | 'set'>;
}

const hook = 'UpdateMachine';
const annotation = inPlaceUpdateAnnotations.updateInProgress;
/** Retry time in a dry run, which assumes that the extension reports an update in progress. */
const assumedRetrySeconds = 30;

/**
 * Calls an extension to update the machine. Before that, the owner of the machine has changed the desired state of the Machine
 * and its objects, and has annotated all of them.
 */
export async function reconcileInPlaceUpdate(scope: MachineScope, updates: InPlaceUpdates): Promise<Outcome> {
  const { machine } = scope;
  const isPending = pendingHooksOf(machine).has(hook);
  if (!hasAnnotation(machine, annotation)) {
    // The hook is pending but the annotation is gone: the owner has cancelled the update.
    if (isPending) await finishUpdate(scope);
    return done();
  }
  if (!isPending || !isUp(scope)) return done();
  if (scope.infrastructure.type !== 'found') {
    const message = 'In-place update not possible: InfraMachine not found';
    return failed(scope, message, new ReconcileError('InfrastructureMissing', message, { retry: 'later' }));
  }
  if (!isMarked(scope)) return done();
  const answer = await ask(scope, updates);
  if (answer.retryAfterSeconds === 0) {
    await finishUpdate(scope);
    return done();
  }
  const message = `In-place update in progress${answer.message === '' ? '' : `: ${answer.message}`}`;
  scope.updating = { reason: machineReasons.inPlaceUpdating, message };
  return wait({ ms: answer.retryAfterSeconds * 1_000, reason: machineReasons.inPlaceUpdating, message });
}

/** Whether the machine is running: only then can it be updated. */
function isUp({ machine: { status } }: MachineScope): boolean {
  const { infrastructureProvisioned, bootstrapDataSecretCreated } = status?.initialization ?? {};
  return infrastructureProvisioned === true && bootstrapDataSecretCreated === true && status?.nodeRef !== undefined;
}

function isMarked({ infrastructure, bootstrap }: MachineScope): boolean {
  return [infrastructure, bootstrap].every(
    (state) => state.type !== 'found' || hasAnnotation(state.object, annotation),
  );
}

async function ask(
  scope: MachineScope,
  { extensions, deferred }: InPlaceUpdates,
): Promise<{ readonly message: string; readonly retryAfterSeconds: number }> {
  const { machine } = scope;
  try {
    const handlers = extensions.handlersOf(hook, machine);
    if (handlers.length === 0) throw new Error('no extensions registered for UpdateMachine hook');
    if (handlers.length > 1)
      throw new Error(`found multiple UpdateMachine hooks (${handlers.join(',')}): only one hook is supported`);
    const held = deferred.get(machine, hook);
    if (held !== undefined) return held;
    const answer = await scope.context.change({
      verb: 'call',
      resource: machines,
      key: keyOf(machine),
      action: `call ${hook} hook`,
      reason: machineReasons.inPlaceUpdating,
      message: `Called ${hook} of extension handler ${handlers.join(',')}`,
      run: (signal) => extensions.callAll(hook, machine, requestOf(scope), { signal }),
      assume: () => ({ message: '', retryAfterSeconds: assumedRetrySeconds }),
    });
    if (answer.retryAfterSeconds > 0) deferred.set(machine, hook, answer);
    return answer;
  } catch (error) {
    failed(scope, 'UpdateMachine hook failed: please check controller logs for errors', error);
    throw error;
  }
}

function failed(scope: MachineScope, message: string, error: unknown): never {
  scope.updating = { reason: machineReasons.inPlaceUpdateFailed, message };
  throw error instanceof Error ? error : new Error(String(error), { cause: error });
}

/** Returns the request. It contains the desired state, not the current one. */
function requestOf({ machine, infrastructure, bootstrap }: MachineScope): JsonObject {
  const desired = {
    machine: desiredOf(machine),
    ...(infrastructure.type === 'found' && { infrastructureMachine: desiredOf(infrastructure.object) }),
    ...(bootstrap.type === 'found' && { bootstrapConfig: desiredOf(bootstrap.object) }),
  };
  return { desired };
}

function desiredOf(object: Frozen<KubeObject>): JsonObject {
  const { apiVersion, kind, spec } = asJson(object);
  const { name = '', namespace = '', labels, annotations } = object.metadata;
  const metadata = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  return { apiVersion, kind, metadata, ...(spec !== undefined && { spec }) };
}

/** Removes the annotations of the update. The Machine comes last, so that an interrupted reconcile continues here. */
async function finishUpdate(scope: MachineScope): Promise<void> {
  for (const state of [scope.infrastructure, scope.bootstrap])
    if (state.type === 'found') await unmark(scope, state.kind.resource, state.object);
  const left = new Set(pendingHooksOf(scope.machine));
  left.delete(hook);
  const text = pendingHooksText(left);
  changeMachine(scope, ({ metadata }) => {
    const { [annotation]: _mark, [runtimeAnnotations.pendingHooks]: _pending, ...rest } = metadata.annotations ?? {};
    metadata.annotations = { ...rest, ...(text !== null && { [runtimeAnnotations.pendingHooks]: text }) };
  });
}

async function unmark({ context }: MachineScope, resource: Resource, object: Frozen<KubeObject>): Promise<void> {
  const after = edit(object, ({ metadata }) => {
    if (metadata.annotations !== undefined) delete metadata.annotations[annotation];
  });
  const message = `Removed the in-place update annotation from ${object.kind} ${object.metadata.name ?? ''}`;
  await context.change({ verb: 'patch', resource, before: object, after, reason: 'InPlaceUpdateFinished', message });
}
