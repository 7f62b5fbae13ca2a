/** Whether a user has to do something (`act`), or the controllers continue without help (`wait`). */
export type Urgency = 'act' | 'wait';

/**
 * The state of a dependency. `blocked`: nothing happens until a user acts. `failing`: a controller retries and fails. `held`: a
 * user or a program holds it on purpose. `progress`: it only takes time.
 */
export type WaitState = 'blocked' | 'failing' | 'held' | 'progress';

/** One cause that `slipway why` can report. docs/reference/why.md is generated from this table. */
export interface Cause {
  readonly urgency: Urgency;
  readonly state: WaitState;
  readonly means: string;
  readonly remedy: string;
}
