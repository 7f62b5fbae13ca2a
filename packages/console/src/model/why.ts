import type { Ref } from './cluster.js';

export interface CauseView {
  readonly cause: string;
  readonly object: Ref;
  readonly reason: string;
  readonly message: string;
  readonly urgency: 'act' | 'wait';
  readonly state: 'blocked' | 'failing' | 'held' | 'progress';
  readonly means: string;
  readonly remedy: string;
  readonly evidence: readonly { readonly object: Ref; readonly fact: string }[];
  readonly next: readonly string[];
  readonly path: readonly { readonly object: Ref; readonly relation: string }[];
}

/** The data of `slipway why`. */
export interface WhyView {
  readonly subject: Ref;
  readonly verdict: 'well' | 'waiting' | 'blocked';
  readonly root?: CauseView;
  readonly others: readonly CauseView[];
}
