import type { Ref } from './cluster.js';

export interface StepView {
  /** Milliseconds since the manifest was applied. */
  readonly atMs: number;
  readonly what: string;
  readonly phase: string;
  readonly object: Ref;
  /** The earliest possible start: the end of the step that this step waited for. */
  readonly fromMs: number;
  /** The step that this step waited for; '' for the first step. */
  readonly waitedFor: string;
  readonly isCritical: boolean;
}

export interface LaneEvent {
  readonly atMs: number;
  readonly reason: string;
  readonly warning: boolean;
  /** The controller and its message, if the entry is a change instead of an Event. */
  readonly change?: { readonly controller: string; readonly message: string };
}

export interface LaneView {
  readonly title: string;
  readonly kind: string;
  readonly steps: readonly StepView[];
  /** Milestones that are not reached yet. */
  readonly missing: readonly string[];
  /** Events, and changes made by controllers if the controllers run in this process. */
  readonly events: readonly LaneEvent[];
}

/** The data of `slipway timeline`, as lanes. */
export interface TimelineView {
  readonly startedAt: number;
  /** Milliseconds until the cluster was available; absent before that. */
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
