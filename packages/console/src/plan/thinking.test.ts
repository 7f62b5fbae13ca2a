import { systemClock, VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { type ThinkingOptions, think } from './thinking.js';

function thread(body: string): URL {
  const code = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (task) => { ${body} });`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

const task = { what: 'read', text: 'kind: A' } as const;

function options(body: string, others: Partial<ThinkingOptions> = {}): ThinkingOptions {
  const { signal } = new AbortController();
  return { thread: thread(body), clock: systemClock, timeMsMax: 60_000, signal, ...others };
}

describe('thinking on a thread of its own', () => {
  it('gives what the thread found', async () => {
    await expect(think(task, options('parentPort.postMessage({ value: [task.text] })'))).resolves.toEqual(['kind: A']);
  });

  it('ends a thread that never stops, while everything else goes on', async () => {
    const clock = new VirtualClock();
    const thought = think(task, options('for (;;);', { clock }));
    await Promise.all([expect(thought).rejects.toThrow('takes longer than 60 s'), clock.advance(60_000)]);
  });

  it('ends a thread that takes all memory', async () => {
    const hoard = 'const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({ a: Math.random() })));';
    await expect(think(task, options(hoard, { memoryMebibytesMax: 16 }))).rejects.toThrow(
      'planning exceeds the memory limit',
    );
  });

  it('ends when the request is aborted', async () => {
    const leaving = new AbortController();
    const thought = think(task, options('for (;;);', { signal: leaving.signal }));
    leaving.abort(new Error('left'));
    await expect(thought).rejects.toThrow('left');
  });

  it.each([
    {
      name: 'what the manifest has wrong',
      body: "parentPort.postMessage({ refused: { status: 422, message: 'no name', remedy: 'name it' } })",
      error: { name: 'Refusal', status: 422, message: 'no name', remedy: 'name it' },
    },
    {
      name: 'a mistake of ours',
      body: "parentPort.postMessage({ failed: 'broken' })",
      error: { name: 'Error', message: 'broken' },
    },
    { name: 'a thread that throws', body: "throw new Error('broken')", error: { name: 'Error', message: 'broken' } },
    { name: 'a thread that ends', body: 'process.exit()', error: { message: 'the planning thread has exited' } },
  ])('tells $name', async ({ body, error }) => {
    await expect(think(task, options(body))).rejects.toMatchObject(error);
  });
});
