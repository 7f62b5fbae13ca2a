import { FakeDisk } from '@slipway/apiserver';
import { silentLogger, VirtualClock } from '@slipway/base';
import { leaseTimesDefault, ShardElector, shardOf } from '@slipway/runtime';
import { chanceFor } from '../faults/chance.js';
import { RequestFaults } from '../faults/request-faults.js';
import { loadProvider } from '../providers/provider.js';
import { preparedDisk, type RunningApiServer, startApiServer } from '../world/api-server.js';
import { leaseKey, namespace } from '../world/names.js';
import { ProcessClient } from '../world/process-client.js';
import { SimulatedProcess } from '../world/simulated-process.js';

export interface ShardsOptions {
  readonly seed: number;
  readonly clusters: number;
  readonly managers: number;
  readonly shards: number;
}

/** How clusters are shared out, and how long none of the managers looks after some of them. */
export interface ShardsResult {
  /** Until every shard was held for the first time. */
  readonly startMs: number;
  /** Clusters of each manager, the fewest first. */
  readonly clusters: readonly number[];
  /** Writes of Leases in a second, all managers together, while nothing happens. */
  readonly leaseWritesPerSecond: number;
  /** From the death of a manager until others hold all that it held. */
  readonly takeoverMs: number;
  /** From the coming of a manager until it holds its share. */
  readonly joinMs: number;
  /** How many shards changed hands for it. */
  readonly moved: number;
}

interface Member {
  readonly process: SimulatedProcess;
  readonly elector: ShardElector;
}

const stepMs = 100;
const limitMs = 300_000;
const quietMs = 60_000;

/** The managers' own code for sharing out work, on a simulated server and in virtual time. Their controllers stay away. */
export async function simulateShards(options: ShardsOptions): Promise<ShardsResult> {
  const fleet = new ShardedFleet(options);
  await fleet.start();
  for (let index = 0; index < options.managers; index += 1) fleet.join();
  const startMs = await fleet.until(() => fleet.isBalanced());
  const clusters = fleet.clustersOf();
  const before = fleet.writes;
  await fleet.pass(quietMs);
  const leaseWritesPerSecond = ((fleet.writes - before) * 1_000) / quietMs;
  fleet.kill();
  const takeoverMs = await fleet.until(() => fleet.isHeld());
  await fleet.until(() => fleet.isBalanced());
  const holders = fleet.holders();
  fleet.join();
  const joinMs = await fleet.until(() => fleet.isBalanced());
  const moved = fleet.holders().filter((holder, shard) => holder !== holders[shard]).length;
  return { startMs, clusters, leaseWritesPerSecond, takeoverMs, joinMs, moved };
}

class ShardedFleet {
  writes = 0;
  readonly #options: ShardsOptions;
  readonly #time = new VirtualClock();
  readonly #members: Member[] = [];
  #server: RunningApiServer | undefined;
  #born = 0;

  constructor(options: ShardsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const random = chanceFor(this.#options.seed, 'server');
    const disk = new FakeDisk(this.#time, random);
    const file = disk.open();
    file.append(await preparedDisk());
    await file.sync();
    const provider = await loadProvider('dev');
    const world = { time: this.#time, disk, random, logger: silentLogger, provider };
    const starting = startApiServer(world, new SimulatedProcess('server', this.#time));
    void starting.then((server) => (this.#server = server));
    await this.until(() => this.#server !== undefined);
  }

  join(): void {
    this.#born += 1;
    const identity = `manager-${this.#born}`;
    const process = new SimulatedProcess(identity, this.#time);
    const { seed, shards } = this.#options;
    const client = new ProcessClient({
      process,
      server: () => this.#server,
      faults: new RequestFaults(chanceFor(seed, identity)),
      carriedOut: () => (this.writes += 1),
    });
    const elector = new ShardElector({
      client,
      clock: process.clock,
      random: chanceFor(seed, `${identity} election`),
      logger: silentLogger,
      namespace,
      name: leaseKey.name,
      identity,
      shards,
      times: leaseTimesDefault,
    });
    void elector.run(new AbortController().signal);
    this.#members.push({ process, elector });
  }

  /** As kill -9 does: nothing is given up. */
  kill(): void {
    this.#members.shift()?.process.kill();
  }

  /** Who holds each shard; empty for those that nobody does. */
  holders(): readonly string[] {
    const holders = Array.from({ length: this.#options.shards }, () => '');
    for (const { process, elector } of this.#members)
      for (const shard of elector.heldShards()) holders[shard] = process.name;
    return holders;
  }

  isHeld(): boolean {
    return this.holders().every((holder) => holder !== '');
  }

  /** All are held, and by nobody more than one above anybody else. */
  isBalanced(): boolean {
    const counts = this.#members.map(({ elector }) => elector.heldShards().length);
    return this.isHeld() && Math.max(...counts) - Math.min(...counts) <= 1;
  }

  clustersOf(): readonly number[] {
    const { clusters, shards } = this.#options;
    const holders = this.holders();
    const counts = new Map(this.#members.map(({ process }) => [process.name, 0]));
    for (let index = 0; index < clusters; index += 1) {
      const holder = holders[shardOf(`${namespace}/cluster-${index}`, shards)] ?? '';
      counts.set(holder, (counts.get(holder) ?? 0) + 1);
    }
    return [...counts.values()].sort((left, right) => left - right);
  }

  async pass(ms: number): Promise<void> {
    await this.#time.advance(ms);
  }

  /** How long it took. */
  async until(isSo: () => boolean): Promise<number> {
    const begin = this.#time.monotonic();
    while (!isSo()) {
      if (this.#time.monotonic() - begin > limitMs) throw new Error('the managers do not come to rest');
      await this.#time.advance(stepMs);
    }
    return this.#time.monotonic() - begin;
  }
}
