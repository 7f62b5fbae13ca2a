import type { Contender } from './contender.js';
import type { LoadGenerator } from './load/load-generator.js';
import type { Burst, BurstResult } from './load/protocol.js';
import { cpuMs } from '../process-usage.js';
import { median } from './load/statistics.js';

/** The result of one contender for one kind of request. */
export interface Measured {
  readonly perSecond: number;
  readonly cpuMsPerRequest: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

export type Pair<T> = { readonly ours: T; readonly theirs: T };

export type BurstPlan = Omit<Burst, 'connection' | 'first'> & {
  /** Whether to continue numbering where the last round stopped, because object names must be unique. */
  readonly unique?: boolean;
};

/** Runs the same load against both servers. */
export class Arena {
  #nextNumber = 0;

  constructor(
    readonly contenders: Pair<Contender>,
    readonly load: LoadGenerator,
    readonly rounds: number,
    readonly http1 = false,
  ) {}

  /**
   * Runs short rounds on both servers in turn, so that other load on the host affects both alike. Returns the median of each
   * figure.
   */
  async compare(plan: (round: number) => BurstPlan): Promise<Pair<Measured>> {
    const ours: Measured[] = [];
    const theirs: Measured[] = [];
    for (let round = 0; round < this.rounds; round += 1) {
      const { unique = false, ...burst } = plan(round);
      const first = unique ? this.takeNumbers(burst.count ?? 0) : 0;
      theirs.push(await this.measure(this.contenders.theirs, { ...burst, first }));
      ours.push(await this.measure(this.contenders.ours, { ...burst, first }));
    }
    return { ours: medianOf(ours), theirs: medianOf(theirs) };
  }

  async measure(contender: Contender, burst: Omit<Burst, 'connection'>): Promise<Measured> {
    const before = cpuMs(contender.processIds);
    const result = await this.run(contender, burst);
    return {
      perSecond: (result.requests * 1_000) / result.elapsedMs,
      cpuMsPerRequest: (cpuMs(contender.processIds) - before) / result.requests,
      medianMs: result.medianMs,
      p99Ms: result.p99Ms,
    };
  }

  async run(contender: Contender, burst: Omit<Burst, 'connection'>): Promise<BurstResult> {
    const result = await this.load.burst({ http1: this.http1, ...burst, connection: contender.connection });
    if (result.failures > 0)
      throw new Error(`${contender.name}: ${result.failures} of ${result.requests} failed: ${result.firstFailure}`);
    return result;
  }

  async both<T>(action: (contender: Contender) => Promise<T>): Promise<Pair<T>> {
    return { theirs: await action(this.contenders.theirs), ours: await action(this.contenders.ours) };
  }

  /** Reserves numbers that no object name contains yet. */
  takeNumbers(count: number): number {
    const first = this.#nextNumber;
    this.#nextNumber += count;
    return first;
  }
}

function medianOf(all: readonly Measured[]): Measured {
  const of = (field: keyof Measured): number => median(all.map((one) => one[field]));
  return {
    perSecond: of('perSecond'),
    cpuMsPerRequest: of('cpuMsPerRequest'),
    medianMs: of('medianMs'),
    p99Ms: of('p99Ms'),
  };
}
