import { type ChildProcess, fork } from 'node:child_process';
import type { Burst, BurstResult, HoldWatches, LoadAnswer, LoadJob, WatchProbe, WatchProbeResult } from './protocol.js';

/** Controls the load process, one command at a time. */
export class LoadGenerator {
  readonly #child: ChildProcess;

  constructor(program: string) {
    this.#child = fork(program, { execArgv: [] });
  }

  burst(job: Burst): Promise<BurstResult> {
    return this.#order({ kind: 'burst', job }) as Promise<BurstResult>;
  }

  probeWatches(job: WatchProbe): Promise<WatchProbeResult> {
    return this.#order({ kind: 'watch-probe', job }) as Promise<WatchProbeResult>;
  }

  async holdWatches(job: HoldWatches): Promise<void> {
    await this.#order({ kind: 'hold-watches', job });
  }

  async dropWatches(): Promise<void> {
    await this.#order({ kind: 'drop-watches' });
  }

  stop(): void {
    this.#child.kill();
  }

  #order(order: LoadJob): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the load generator ended'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (answer: LoadAnswer) => {
        this.#child.off('exit', onExit);
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer.result);
      });
      this.#child.send(order);
    });
  }
}
