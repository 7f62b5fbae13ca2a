import { systemClock, VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { type PlanTaskOptions, runPlanTask } from './run-plan-task.js';

function thread(body: string): URL {
  const code = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (task) => { ${body} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

const task = { what: 'read', text: 'kind: A' } as const;

function options(body: string, others: Partial<PlanTaskOptions> = {}): PlanTaskOptions {
  const { signal } = new AbortController();
  return { thread: thread(body), clock: systemClock, timeMsMax: 60_000, signal, ...others };
}

describe('runPlanTask', () => {
  it('returns the value from the thread', async () => {
    await expect(runPlanTask(task, options('parentPort.postMessage({ value: [task.text] })'))).resolves.toEqual([
      'kind: A',
    ]);
  });

  it('terminates a thread in an endless loop without blocking this one', async () => {
    const clock = new VirtualClock();
    const result = runPlanTask(task, options('for (;;);', { clock }));
    await Promise.all([expect(result).rejects.toThrow('takes longer than 60 s'), clock.advance(60_000)]);
  });

  it('terminates a thread that exceeds the memory limit', async () => {
    const allocate = 'const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({ a: Math.random() })));';
    await expect(runPlanTask(task, options(allocate, { memoryMebibytesMax: 16 }))).rejects.toThrow(
      'planning exceeds the memory limit',
    );
  });

  it('terminates the thread when the request is aborted', async () => {
    const request = new AbortController();
    const result = runPlanTask(task, options('for (;;);', { signal: request.signal }));
    request.abort(new Error('left'));
    await expect(result).rejects.toThrow('left');
  });

  it.each([
    {
      name: 'the status, message and remedy of an invalid manifest',
      body: "parentPort.postMessage({ refused: { status: 422, message: 'no name', remedy: 'name it' } })",
      error: { name: 'HttpError', status: 422, message: 'no name', remedy: 'name it' },
    },
    {
      name: 'an unexpected error of the planner',
      body: "parentPort.postMessage({ failed: 'broken' })",
      error: { name: 'Error', message: 'broken' },
    },
    {
      name: 'the error that the thread throws',
      body: "throw new Error('broken')",
      error: { name: 'Error', message: 'broken' },
    },
    {
      name: 'an error when the thread exits',
      body: 'process.exit()',
      error: { message: 'the planning thread has exited' },
    },
  ])('rejects with $name', async ({ body, error }) => {
    await expect(runPlanTask(task, options(body))).rejects.toMatchObject(error);
  });
});
