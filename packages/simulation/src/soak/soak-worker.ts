import { type ChildProcess, fork } from 'node:child_process';
import type { PlanOptions } from '../plan/plan.js';

export type SoakOrder = PlanOptions;

export interface SoakAnswer {
  readonly simulatedMs: number;
  readonly writes: number;
  readonly cpuMs: number;
  readonly violation?: string;
}

/** Number of seeds after which the process restarts, so that accumulated memory does not affect later seeds. */
const seedsMax = 50;

/** Nearly all objects of a run are short-lived: a large young generation avoids most garbage collections. */
const execArgv = [...process.execArgv, '--max-semi-space-size=64'];

/** Runs seeds in a separate process, one at a time. */
export class SoakWorker {
  #child: ChildProcess | undefined;
  #seeds = 0;

  async run(order: SoakOrder): Promise<SoakAnswer> {
    if (this.#seeds >= seedsMax) this.stop();
    this.#child ??= fork(new URL('./soak-process.ts', import.meta.url), { execArgv });
    this.#seeds += 1;
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null, signal: string | null): void => {
        this.#forget();
        reject(new Error(`the worker ended with ${signal ?? code} at seed ${order.seed}`));
      };
      child.once('exit', onExit);
      child.once('message', (answer: SoakAnswer) => {
        child.off('exit', onExit);
        resolve(answer);
      });
      child.send(order);
    });
  }

  stop(): void {
    this.#child?.disconnect();
    this.#forget();
  }

  #forget(): void {
    this.#child = undefined;
    this.#seeds = 0;
  }
}
