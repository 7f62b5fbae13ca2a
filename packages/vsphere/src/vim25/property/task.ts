import { isFault, TaskFailed } from '../errors.js';
import type { Data, ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import { retrieveOne } from './retrieve.js';
import type { UpdateHub } from './update-hub.js';

/** How a task stands. One that vCenter no longer remembers is `gone`: it has ended long ago, nobody knows how. */
export type TaskState =
  /** Since when it is in vCenter's queue, if vCenter says so. */
  | { readonly state: 'running'; readonly operation: string; readonly sinceMs?: number }
  | { readonly state: 'success'; readonly result: unknown; readonly operation: string }
  | { readonly state: 'error'; readonly error: TaskFailed; readonly operation: string }
  | { readonly state: 'gone' };

export function taskRef(moid: string): ObjectRef {
  return { type: 'Task', value: moid };
}

/** Asks once how a task stands. */
export async function readTask(session: SoapSession, task: ObjectRef, options: CallOptions = {}): Promise<TaskState> {
  try {
    const { info } = await retrieveOne(session, task, ['info'], options);
    if (info === undefined) return { state: 'gone' };
    const { descriptionId: operation = 'task', queueTime } = info;
    if (info.state === 'queued' || info.state === 'running')
      return { state: 'running', operation, ...(queueTime !== undefined && { sinceMs: Date.parse(queueTime) }) };
    return toTaskState(task, info.state, info.error, info.result, operation);
  } catch (error) {
    // A task that cannot be read would block for ever whoever waits for it. A server that is away is another matter.
    if (isFault(error) && error.fault !== 'NotAuthenticated') return { state: 'gone' };
    throw error;
  }
}

/** Resolves with a task's result once it has ended, by the events of the property collector. */
export function waitForTask(
  hub: UpdateHub,
  task: ObjectRef,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      void watch.dispose();
      reject(signal?.reason as Error);
    };
    const watch = hub.watch(task, ({ values, gone }) => {
      const state = gone
        ? ({ state: 'gone' } as const)
        : toTaskState(task, values['info.state'], values['info.error'], values['info.result']);
      if (state.state === 'running') return;
      void watch.dispose();
      signal?.removeEventListener('abort', onAbort);
      if (state.state === 'error') reject(state.error);
      else resolve(state.state === 'success' ? state.result : undefined);
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Whether what the hub tells of a task means that it has ended. */
export function taskEnded({
  values,
  gone,
}: {
  readonly values: Readonly<Record<string, unknown>>;
  readonly gone: boolean;
}): boolean {
  return gone || values['info.state'] === 'success' || values['info.state'] === 'error';
}

function toTaskState(task: ObjectRef, state: unknown, cause: unknown, result: unknown, operation = 'task'): TaskState {
  if (state === 'success') return { state: 'success', result, operation };
  if (state !== 'error') return { state: 'running', operation };
  const { fault = {}, localizedMessage = '' } = (cause ?? {}) as Data<'LocalizedMethodFault'>;
  const type = fault._type ?? 'MethodFault';
  const error = new TaskFailed(task, type, localizedMessage, fault, `${operation} ${task.value}`);
  return { state: 'error', error, operation };
}
