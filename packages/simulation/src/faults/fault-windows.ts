import type { VirtualClock } from '@slipway/base';
import type { Fault, FaultKind } from '../plan/plan.js';
import { namespace } from '../objects/names.js';
import type { SimulatedSystem } from '../environment/system.js';
import { noRequestFaults, type RequestFaultRates } from '../processes/request-faults.js';

/** Applies faults that have a duration: each open fault changes the fault rates of the environment. */
export class FaultWindows {
  readonly #open = new Set<Fault>();

  constructor(
    private readonly systems: readonly SimulatedSystem[],
    private readonly time: VirtualClock,
  ) {}

  open(fault: Fault): void {
    this.#open.add(fault);
    this.#apply();
    this.time.setTimer(fault.ms, () => {
      this.#open.delete(fault);
      this.#apply();
    });
  }

  closeAll(): void {
    this.#open.clear();
    this.#apply();
  }

  #apply(): void {
    for (const system of this.systems) this.#applyTo(system);
  }

  #applyTo({ disk, infrastructure, faults }: SimulatedSystem): void {
    faults.rates = this.#requestRates();
    disk.faults.syncFailure = (this.#force('diskFailure') ?? 0) * 0.3;
    disk.faults.syncLatencyMs = Math.ceil((this.#force('diskSlow') ?? 0) * 500);
    infrastructure.faults.failure = this.#force('infrastructureFailure') ?? 0;
    infrastructure.faults.latencyMs = Math.ceil((this.#force('infrastructureSlow') ?? 0) * 20_000);
    infrastructure.faults.unreachable.clear();
    for (const { kind, cluster } of this.#open)
      if (kind === 'unreachable') infrastructure.faults.unreachable.add(`${namespace}/c${cluster}`);
  }

  #requestRates(): RequestFaultRates {
    const network = this.#force('network');
    if (network !== undefined) return ratesOf(network);
    const late = this.#force('lateEvents');
    return late === undefined ? noRequestFaults : { ...noRequestFaults, watchDelay: 0.3 + late * 0.7, delayMsMax };
  }

  /** Returns the greatest force of the open faults of a kind, or undefined if none is open. */
  #force(kind: FaultKind): number | undefined {
    const forces = [...this.#open].filter((fault) => fault.kind === kind).map(({ force }) => force);
    return forces.length === 0 ? undefined : Math.max(...forces);
  }
}

/** Maximum delay of requests and events. Shorter than the time between a leader's renew deadline and the expiry of its lease. */
const delayMsMax = 4_000;

function ratesOf(force: number): RequestFaultRates {
  return {
    conflict: force * 0.1,
    serverError: force * 0.1,
    lostAnswer: force * 0.05,
    delay: force * 0.2,
    delayMsMax,
    watchBreak: force * 0.03,
    watchExpired: force * 0.04,
    watchDelay: force * 0.2,
    watchDuplicate: force * 0.05,
  };
}
