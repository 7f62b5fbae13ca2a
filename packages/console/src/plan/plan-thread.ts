import { parentPort } from 'node:worker_threads';
import { ManifestError, readManifest, planOnState } from '@slipway/insight';
import { deepFreeze, StatusError } from '@slipway/kube';
import type { PlanAnswer, PlanAnswers, PlanTask } from './plan-task.js';

// Planning runs on a worker thread: an expensive manifest must not block the management plane.

const source = 'the manifest';

parentPort?.on('message', (task: PlanTask) => {
  void answer(task).then((found) => parentPort?.postMessage(found));
});

async function answer(task: PlanTask): Promise<PlanAnswer> {
  try {
    return { value: await done(task) };
  } catch (error) {
    if (error instanceof ManifestError)
      return { refused: { status: 422, message: error.message, remedy: error.remedy ?? '' } };
    if (error instanceof StatusError) return { refused: { status: error.code, message: error.message, remedy: '' } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

async function done(task: PlanTask): Promise<PlanAnswers[keyof PlanAnswers]> {
  if (task.what === 'read') return readManifest(task.text, source);
  const { input, nowMs, timeoutMs } = task;
  // Freeze the input again: objects that are copied between threads are not frozen.
  return planOnState(deepFreeze(input), { nowMs, timeoutMs });
}
