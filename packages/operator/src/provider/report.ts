import type { Frozen } from '@slipway/kube';
import {
  type ConditionTarget,
  type EventRecorder,
  edit,
  getCondition,
  type NewCondition,
  setCondition,
} from '@slipway/runtime';
import { type FrozenProvider, operatorAnnotations, type ProviderObject } from '../api/index.js';
import type { PhaseError } from '../phase-error.js';

/** Collects the results of a reconcile, which are written to the status once at its end. */
export class Report {
  readonly #conditions: NewCondition[] = [];
  #installed: { readonly contract: string; readonly version: string } | undefined;
  #hash: string | undefined;
  #isComplete = false;

  condition(type: NewCondition['type'], status: NewCondition['status'], reason: string, message = ''): void {
    this.#conditions.push({ type, status, reason, message });
  }

  /** Records a failed phase. Redacts values of Secrets, because the API server quotes rejected values. */
  failed({ condition, reason, message }: PhaseError, secretValues: readonly string[]): void {
    const reported = secretValues.reduce((text, value) => text.replaceAll(value, '***'), message);
    this.condition(condition, 'False', reason, reported);
  }

  installed(version: string, contract: string): void {
    this.#installed = { version, contract };
  }

  applied(hash: string): void {
    this.#hash = hash;
  }

  /** Condition types owned by this controller. The health controller owns Ready, except for embedded providers. */
  get types(): readonly string[] {
    return this.#conditions.map(({ type }) => type);
  }

  /** Marks the reconcile as completed without errors, which sets observedGeneration. */
  complete(): void {
    this.#isComplete = true;
  }

  /** Returns the provider with the collected status. */
  onto(provider: FrozenProvider, nowMs: number): FrozenProvider {
    return edit(provider as Frozen<ProviderObject>, (draft) => {
      const target = draft as ConditionTarget & ProviderObject;
      for (const condition of this.#conditions) setCondition(target, condition, nowMs);
      target.status ??= {};
      if (this.#installed !== undefined) {
        target.status.installedVersion = this.#installed.version;
        target.status.contract = this.#installed.contract;
      }
      if (this.#isComplete && target.metadata.generation !== undefined)
        target.status.observedGeneration = target.metadata.generation;
      if (this.#hash !== undefined)
        target.metadata.annotations = {
          ...target.metadata.annotations,
          [operatorAnnotations.appliedSpecHash]: this.#hash,
        };
    });
  }

  /** Records events for changed conditions and versions only. */
  recordEvents(provider: FrozenProvider, events: EventRecorder): void {
    for (const { type, status, reason, message = '' } of this.#conditions) {
      const before = getCondition(provider, type);
      const isNews = before?.status !== status || before.reason !== reason || before.message !== message;
      if (status === 'False' && isNews) events.record(provider, { type: 'Warning', reason, message });
    }
    const before = provider.status?.installedVersion;
    const now = this.#installed?.version;
    if (now === undefined || now === before) return;
    const fact =
      before === undefined
        ? { reason: 'Installed', message: `Installed ${now}` }
        : { reason: 'Upgraded', message: `Upgraded from ${before} to ${now}` };
    events.record(provider, { type: 'Normal', ...fact });
  }
}
