import type { ObjectRef } from '../objects/index.js';
import type { CauseName, Urgency } from './causes.js';

/** A fact that was seen, and where. */
export interface Evidence {
  readonly object: ObjectRef;
  readonly fact: string;
}

/** What a rule found out about one object. */
export interface Finding {
  readonly cause: CauseName;
  /** Whose fault it is: mostly the object that was looked at, sometimes one that it names. */
  readonly object: ObjectRef;
  /** The reason of the condition, where there is one. */
  readonly reason: string;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  /** What to type next, the most useful first. */
  readonly next: readonly string[];
}

/** From an object to one that it waits for. */
export interface Step {
  readonly object: ObjectRef;
  /** How one comes here from the step before: `waits for its infrastructure`. Empty for the first one. */
  readonly relation: string;
}

export interface RootCause extends Finding {
  readonly urgency: Urgency;
  readonly means: string;
  readonly remedy: string;
  /** From the object that was asked about to the one that is to blame. */
  readonly path: readonly Step[];
}

/** Why an object is not as it should be. */
export interface Explanation {
  readonly subject: ObjectRef;
  readonly verdict: 'well' | 'waiting' | 'blocked';
  readonly root?: RootCause;
  /** What is wrong besides, and would be next. */
  readonly others: readonly RootCause[];
}
