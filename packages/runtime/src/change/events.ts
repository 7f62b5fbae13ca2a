import type { Frozen, KubeObject } from '@slipway/kube';

export interface EventFact {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  /** The action that was done or tried, in one UpperCamelCase word. */
  readonly action?: string;
}

export interface EventRecorder {
  /** Records an Event. Never throws and never blocks: recording an Event must not fail a reconcile. */
  record(object: Frozen<KubeObject>, fact: EventFact): void;
}

export const silentEventRecorder: EventRecorder = { record: () => undefined };
