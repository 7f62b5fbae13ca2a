/** The hooks that a topology calls, in the order of a cluster's life. */
export type LifecycleHook =
  | 'BeforeClusterCreate'
  | 'AfterControlPlaneInitialized'
  | 'BeforeClusterUpgrade'
  | 'BeforeControlPlaneUpgrade'
  | 'AfterControlPlaneUpgrade'
  | 'BeforeWorkersUpgrade'
  | 'AfterWorkersUpgrade'
  | 'AfterClusterUpgrade'
  | 'BeforeClusterDelete';

/** A hook that has to be asked before anything else can be decided, and what it is told beside the Cluster. */
export interface HookCall {
  readonly hook: LifecycleHook;
  readonly fields: Readonly<Record<string, string | readonly { readonly version: string }[]>>;
}

/** What extensions said, all together. */
export interface HookAnswer {
  /** Zero when nothing holds it up. */
  readonly retryAfterSeconds: number;
  readonly message: string;
}

export type HookAnswers = ReadonlyMap<LifecycleHook, HookAnswer>;

export function isBlocking(answers: HookAnswers, hook: LifecycleHook): boolean {
  return (answers.get(hook)?.retryAfterSeconds ?? 0) !== 0;
}
