import { isFault, TaskFailed } from '../errors.js';
import type { Data, ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import { retrieveOne } from './retrieve.js';
import type { UpdateHub } from './update-hub.js';

/** State of a task. A task that vCenter has purged is `gone`: it ended with an unknown result. */
export type TaskState =
  /** A running task. `sinceMs` is when it was queued, if vCenter reports it. */
  | { readonly state: 'running'; readonly operation: string; readonly sinceMs?: number }
  | { readonly state: 'success'; readonly result: unknown; readonly operation: string }
  | { readonly state: 'error'; readonly error: TaskFailed; readonly operation: string }
  | { readonly state: 'gone' };

export function taskRef(moid: string): ObjectRef {
  return { type: 'Task', value: moid };
}

/** Reads the state of a task once. */
export async function readTask(session: SoapSession, task: ObjectRef, options: CallOptions = {}): Promise<TaskState> {
  try {
    const { info } = await retrieveOne(session, task, ['info'], options);
    if (info === undefined) return { state: 'gone' };
    const { descriptionId: operation = 'task', queueTime } = info;
    if (info.state === 'queued' || info.state === 'running')
      return { state: 'running', operation, ...(queueTime !== undefined && { sinceMs: Date.parse(queueTime) }) };
    return toTaskState(task, info.state, info.error, info.result, operation);
  } catch (error) {
    // A task that vCenter cannot return is considered gone: waiting for it would block forever. Outages are thrown instead.
    if (isFault(error) && error.fault !== 'NotAuthenticated') return { state: 'gone' };
    throw error;
  }
}

/** Waits for the end of a task with the property collector, and returns its result. */
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

/** Returns whether an update from the hub means that the task ended. */
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
