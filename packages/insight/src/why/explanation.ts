import type { ObjectRef } from '../objects/index.js';
import type { CauseName } from './causes.js';
import type { Urgency, WaitState } from './cause.js';

/** An observed fact and the object that it was observed on. */
export interface Evidence {
  readonly object: ObjectRef;
  readonly fact: string;
}

/** The result of one rule on one object. */
export interface Finding {
  readonly cause: CauseName;
  /** The object at fault: usually the object that the rule checked, sometimes an object that it references. */
  readonly object: ObjectRef;
  /** The condition's reason, or the name of the cause. */
  readonly reason: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** Commands to run next, the most useful first. */
  readonly next: readonly string[];
}

/** One object on the path from the subject to the root cause. */
export interface Step {
  readonly object: ObjectRef;
  /** The relation of the previous object to this object, such as `waits for its infrastructure`. Empty for the first step. */
  readonly relation: string;
}

export interface RootCause extends Finding {
  readonly urgency: Urgency;
  readonly state: WaitState;
  /** How often a failing operation was tried, as far as events report it. */
  readonly attempts?: number;
  /** How long other machines of the cluster took. Only for a machine in progress. */
  readonly expectedMs?: number;
  readonly means: string;
  readonly remedy: string;
  /** The objects from the subject to the object at fault. */
  readonly path: readonly Step[];
}

/** A dependency of one object on another. */
export interface Wait {
  readonly from: ObjectRef;
  readonly to: ObjectRef;
  readonly relation: string;
  /** The worst state of the dependency and of the objects that it waits for itself. */
  readonly state: WaitState;
}

/** Why an object is not healthy. */
export interface Explanation {
  readonly subject: ObjectRef;
  readonly verdict: 'well' | 'waiting' | 'blocked';
  readonly root?: RootCause;
  /** Further causes, in order of relevance. */
  readonly others: readonly RootCause[];
}
