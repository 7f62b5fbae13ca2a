import type { Ref } from './cluster.js';

export interface StepView {
  /** Milliseconds since the manifest was applied. */
  readonly atMs: number;
  readonly what: string;
  readonly phase: string;
  readonly object: Ref;
  /** From when it could begin: the end of what it waited on. */
  readonly fromMs: number;
  /** What it waited on; '' for the beginning. */
  readonly waitedFor: string;
  readonly isCritical: boolean;
}

export interface LaneEvent {
  readonly atMs: number;
  readonly reason: string;
  readonly warning: boolean;
  /** Of a change: the controller that made it, and why. */
  readonly change?: { readonly controller: string; readonly message: string };
}

export interface LaneView {
  readonly title: string;
  readonly kind: string;
  readonly steps: readonly StepView[];
  /** What is not reached yet. */
  readonly missing: readonly string[];
  /** Events, and changes of the controllers where the management plane reports them. */
  readonly events: readonly LaneEvent[];
}

/** How a cluster came about: what `slipway timeline` says, in lanes. */
export interface TimelineView {
  readonly startedAt: number;
  /** How long it took to be available; absent while it is not. */
  readonly tookMs?: number;
  readonly phases: readonly { readonly name: string; readonly startMs: number; readonly endMs?: number }[];
  readonly lanes: Readonly<Record<string, LaneView>>;
  readonly criticalPath: readonly {
    readonly what: string;
    readonly object: Ref;
    readonly atMs: number;
    readonly tookMs: number;
  }[];
}
