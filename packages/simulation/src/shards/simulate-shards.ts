import { FakeDisk } from '@slipway/apiserver';
import { silentLogger, VirtualClock } from '@slipway/base';
import { clusterKeyOf } from '@slipway/cluster-api';
import { leaseTimesDefault, ShardElector, shardOf } from '@slipway/runtime';
import { randomFor } from '../random/random.js';
import { RequestFaults } from '../processes/request-faults.js';
import { loadProvider } from '../providers/provider.js';
import { preparedDisk, type RunningApiServer, startApiServer } from '../environment/api-server.js';
import { leaseKey, namespace } from '../objects/names.js';
import { ProcessClient } from '../processes/process-client.js';
import { SimulatedProcess } from '../processes/simulated-process.js';

export interface ShardsOptions {
  readonly seed: number;
  readonly clusters: number;
  readonly managers: number;
  readonly shards: number;
}

/** How clusters are divided, and for how long some of them are not reconciled. */
export interface ShardsResult {
  /** Time until every shard was held for the first time. */
  readonly startMs: number;
  /** Number of clusters of each manager, in ascending order. */
  readonly clusters: readonly number[];
  /** Lease writes per second of all managers together, at rest. */
  readonly leaseWritesPerSecond: number;
  /** Time from the kill of a manager until the others hold all of its shards. */
  readonly takeoverMs: number;
  /** Time from the start of another manager until it holds its share. */
  readonly joinMs: number;
  /** Number of shards that moved to the new manager. */
  readonly moved: number;
}

interface Member {
  readonly process: SimulatedProcess;
  readonly elector: ShardElector;
}

const stepMs = 100;
const limitMs = 300_000;
const quietMs = 60_000;

/** Runs the sharding code of the managers on a simulated API server in virtual time, without controllers. */
export async function simulateShards(options: ShardsOptions): Promise<ShardsResult> {
  const fleet = new ShardedFleet(options);
  await fleet.start();
  for (let index = 0; index < options.managers; index += 1) fleet.join();
  const startMs = await fleet.until(() => fleet.isBalanced());
  const clusters = fleet.clustersOf();
  const before = fleet.writes;
  await fleet.advance(quietMs);
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
  #managerCount = 0;

  constructor(options: ShardsOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const random = randomFor(this.#options.seed, 'server');
    const disk = new FakeDisk(this.#time, random);
    const file = disk.open();
    file.append(await preparedDisk());
    await file.sync();
    const provider = await loadProvider('dev');
    const dependencies = { time: this.#time, disk, random, logger: silentLogger, provider };
    const starting = startApiServer(dependencies, new SimulatedProcess('server', this.#time));
    void starting.then((server) => (this.#server = server));
    await this.until(() => this.#server !== undefined);
  }

  join(): void {
    this.#managerCount += 1;
    const identity = `manager-${this.#managerCount}`;
    const process = new SimulatedProcess(identity, this.#time);
    const { seed, shards } = this.#options;
    const client = new ProcessClient({
      process,
      server: () => this.#server,
      faults: new RequestFaults(randomFor(seed, identity)),
      executed: () => (this.writes += 1),
    });
    const elector = new ShardElector({
      client,
      clock: process.clock,
      random: randomFor(seed, `${identity} election`),
      logger: silentLogger,
      namespace,
      name: leaseKey.name,
      identity,
      shards,
      shardKeyOf: clusterKeyOf,
      times: leaseTimesDefault,
    });
    void elector.run(new AbortController().signal);
    this.#members.push({ process, elector });
  }

  /** Kills the manager like `kill -9`: it releases no Lease. */
  kill(): void {
    this.#members.shift()?.process.kill();
  }

  /** Returns the holder of each shard; '' if none. */
  holders(): readonly string[] {
    const holders = Array.from({ length: this.#options.shards }, () => '');
    for (const { process, elector } of this.#members)
      for (const shard of elector.heldShards()) holders[shard] = process.name;
    return holders;
  }

  isHeld(): boolean {
    return this.holders().every((holder) => holder !== '');
  }

  /** Returns whether all shards are held and the shard counts of any two managers differ by at most one. */
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

  async advance(ms: number): Promise<void> {
    await this.#time.advance(ms);
  }

  /** Advances time until the condition holds. Returns the elapsed milliseconds. */
  async until(condition: () => boolean): Promise<number> {
    const begin = this.#time.monotonic();
    while (!condition()) {
      if (this.#time.monotonic() - begin > limitMs) throw new Error('the shards were not balanced in time');
      await this.#time.advance(stepMs);
    }
    return this.#time.monotonic() - begin;
  }
}
