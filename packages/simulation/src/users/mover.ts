import { type Random, sleep, type VirtualClock } from '@slipway/base';
import { move, MoveError } from '@slipway/clusterctl';
import { type Client, ConnectionError } from '@slipway/runtime';
import type { Transcript } from '../report/transcript.js';
import { Violation } from '../report/violation.js';
import { namespace } from '../objects/names.js';
import { SimulatedProcess } from '../processes/simulated-process.js';

export interface MoverDependencies {
  readonly time: VirtualClock;
  readonly random: Random;
  readonly transcript: Transcript;
  readonly clientFor: (plane: number, process: SimulatedProcess) => Client;
  /** Returns the running machines of a cluster. */
  readonly machinesOf: (cluster: string) => readonly string[];
}

const retryMs = 20_000;

/**
 * A user who runs `slipway move` repeatedly until it succeeds, one cluster at a time: a namespace holds the journal of one
 * move.
 */
export class Mover {
  readonly #dependencies: MoverDependencies;
  #queue: Promise<unknown> = Promise.resolve();
  #process: SimulatedProcess | undefined;
  #lives = 0;

  constructor(dependencies: MoverDependencies) {
    this.#dependencies = dependencies;
  }

  /** Kills the move command, at whatever point it is. */
  crash(): void {
    if (this.#process === undefined || this.#process.isDead) return;
    this.#dependencies.transcript.write(`fault: ${this.#process.name} crashes`);
    this.#process.kill();
  }

  move(cluster: string, from: number, to: number): Promise<void> {
    const moved = this.#queue.then(() => this.#moveUntilDone(cluster, from, to));
    this.#queue = moved.catch(() => undefined);
    return moved;
  }

  async #moveUntilDone(cluster: string, from: number, to: number): Promise<void> {
    while ((await this.#attempt(cluster, from, to)) !== 'moved') await sleep(this.#dependencies.time, retryMs);
    this.#dependencies.transcript.write(`user: ${cluster} has moved from plane ${from} to plane ${to}`);
  }

  async #attempt(cluster: string, from: number, to: number): Promise<'moved' | 'failed'> {
    const { time, random, machinesOf, clientFor } = this.#dependencies;
    this.#lives += 1;
    const process = new SimulatedProcess(`mover-${this.#lives}`, time);
    this.#process = process;
    const died = new Promise<'failed'>((resolve) => process.onDeath(() => resolve('failed')));
    const before = machinesOf(cluster);
    const [source, target] = [clientFor(from, process), clientFor(to, process)];
    const work = move({ from: source, to: target, clock: process.clock, random, namespace, cluster }).then(
      () => 'moved' as const,
      (error: unknown) => this.#failed(process.name, error),
    );
    const end = await Promise.race([work, died]);
    this.#process = undefined;
    const [was, is] = [before, machinesOf(cluster)].map((names) => [...names].sort().join(' '));
    if (end === 'moved' && was !== is)
      throw new Violation('a move changes nothing', `${cluster} had [${was}] before the move and has [${is}] after it`);
    return end;
  }

  /** Records a failure. The same move can be run again after every failure. */
  #failed(name: string, error: unknown): 'failed' {
    if (!(error instanceof MoveError || error instanceof ConnectionError)) throw error;
    const reason = error instanceof MoveError ? error.reason : 'unreachable';
    this.#dependencies.transcript.write(`user: ${name} failed: ${reason} ${error.message.split('\n')[0] ?? ''}`);
    return 'failed';
  }
}
