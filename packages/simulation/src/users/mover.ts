import { type Random, sleep, type VirtualClock } from '@slipway/base';
import { move, MoveError } from '@slipway/clusterctl';
import { type Client, ConnectionError } from '@slipway/runtime';
import type { Transcript } from '../run/transcript.js';
import { Violation } from '../run/violation.js';
import { namespace } from '../world/names.js';
import { SimulatedProcess } from '../world/simulated-process.js';

export interface MoverWorld {
  readonly time: VirtualClock;
  readonly random: Random;
  readonly transcript: Transcript;
  readonly clientFor: (plane: number, process: SimulatedProcess) => Client;
  /** What runs for a cluster. */
  readonly machinesOf: (cluster: string) => readonly string[];
}

const retryMs = 20_000;

/**
 * Whoever types `slipway move`, and types it again until it says that it is done. One cluster after the other: a namespace has
 * room for the journal of one move.
 */
export class Mover {
  readonly #world: MoverWorld;
  #queue: Promise<unknown> = Promise.resolve();
  #process: SimulatedProcess | undefined;
  #lives = 0;

  constructor(world: MoverWorld) {
    this.#world = world;
  }

  /** The command is killed, wherever it is. */
  crash(): void {
    if (this.#process === undefined || this.#process.isDead) return;
    this.#world.transcript.write(`fault: ${this.#process.name} crashes`);
    this.#process.kill();
  }

  move(cluster: string, from: number, to: number): Promise<void> {
    const moved = this.#queue.then(() => this.#insist(cluster, from, to));
    this.#queue = moved.catch(() => undefined);
    return moved;
  }

  async #insist(cluster: string, from: number, to: number): Promise<void> {
    while ((await this.#attempt(cluster, from, to)) !== 'moved') await sleep(this.#world.time, retryMs);
    this.#world.transcript.write(`user: ${cluster} has moved from plane ${from} to plane ${to}`);
  }

  async #attempt(cluster: string, from: number, to: number): Promise<'moved' | 'failed'> {
    const { time, random, machinesOf, clientFor } = this.#world;
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
      throw new Violation('a move changes nothing', `${cluster} had [${was}] before and has [${is}] after it`);
    return end;
  }

  /** Every failure leaves things so that the same move can be typed again. */
  #failed(name: string, error: unknown): 'failed' {
    if (!(error instanceof MoveError || error instanceof ConnectionError)) throw error;
    const reason = error instanceof MoveError ? error.reason : 'unreachable';
    this.#world.transcript.write(`user: ${name} failed: ${reason} ${error.message.split('\n')[0] ?? ''}`);
    return 'failed';
  }
}
