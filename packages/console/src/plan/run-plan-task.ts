import { Worker } from 'node:worker_threads';
import type { Clock } from '@slipway/base';
import { HttpError } from '../http/message.js';
import type { PlanAnswer, PlanAnswers, PlanTask } from './plan-task.js';

export interface PlanTaskOptions {
  /** The built module of the thread. */
  readonly thread: URL;
  readonly clock: Clock;
  readonly timeMsMax: number;
  readonly memoryMebibytesMax?: number;
  readonly signal: AbortSignal;
}

/** Memory limit in MiB. Sufficient for a state of thousands of objects. */
const memoryDefault = 768;

/** Runs one task on a new worker thread with time and memory limits, and terminates the thread afterwards. */
export async function runPlanTask<Task extends PlanTask>(
  task: Task,
  { thread, clock, timeMsMax, memoryMebibytesMax = memoryDefault, signal }: PlanTaskOptions,
): Promise<PlanAnswers[Task['what']]> {
  signal.throwIfAborted();
  const worker = new Worker(thread, { resourceLimits: { maxOldGenerationSizeMb: memoryMebibytesMax } });
  const ended = new AbortController();
  try {
    const answer = await new Promise<PlanAnswer>((resolve, reject) => {
      const timer = clock.setTimer(timeMsMax, () => reject(tooLong(timeMsMax)));
      const leave = (): void => reject(signal.reason as Error);
      signal.addEventListener('abort', leave, { once: true, signal: ended.signal });
      ended.signal.addEventListener('abort', () => timer.cancel(), { once: true });
      worker.once('message', resolve);
      worker.once('error', (error) => reject(isOutOfMemory(error) ? tooLarge() : error));
      worker.once('exit', () => reject(new Error('the planning thread has exited')));
      worker.postMessage(task);
    });
    if ('refused' in answer) throw new HttpError(answer.refused.status, answer.refused.message, answer.refused.remedy);
    if ('failed' in answer) throw new Error(answer.failed);
    return answer.value as PlanAnswers[Task['what']];
  } finally {
    ended.abort();
    await worker.terminate();
  }
}

function tooLong(timeMsMax: number): HttpError {
  return new HttpError(
    422,
    `planning takes longer than ${Math.round(timeMsMax / 1_000)} s`,
    'plan fewer objects at a time, or run `slipway plan` in a terminal',
  );
}

function tooLarge(): HttpError {
  return new HttpError(422, 'planning exceeds the memory limit', 'plan fewer objects at a time');
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
}
