/** The hooks that a topology calls, in the order of a cluster's lifecycle. */
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

/** A hook whose response a decision needs, and the fields of its request other than the Cluster. */
export interface HookCall {
  readonly hook: LifecycleHook;
  readonly fields: Readonly<Record<string, string | readonly { readonly version: string }[]>>;
}

/** The aggregated response of extensions. */
export interface HookAnswer {
  /** Zero if no extension is blocking. */
  readonly retryAfterSeconds: number;
  readonly message: string;
}

export type HookAnswers = ReadonlyMap<LifecycleHook, HookAnswer>;

export function isBlocking(answers: HookAnswers, hook: LifecycleHook): boolean {
  return (answers.get(hook)?.retryAfterSeconds ?? 0) !== 0;
}

/**
 * Returns the seconds until the hooks are called again: the shortest time that a blocking extension requests. Zero if none is
 * blocking.
 */
export function retryAfterSeconds(answers: HookAnswers): number {
  const waits = [...answers.values()].map((answer) => answer.retryAfterSeconds).filter((seconds) => seconds > 0);
  return waits.length === 0 ? 0 : Math.min(...waits);
}

/** Returns a message that lists the hooks that block `action`. Empty if none does. */
export function blockingMessage(answers: HookAnswers, action: string): string {
  const texts = [...answers]
    .filter(([, answer]) => answer.retryAfterSeconds !== 0)
    .map(([hook, { message }]) => (message === '' ? hook : `${hook}: ${message}`))
    .sort();
  return texts.length === 0 ? '' : `Following hooks are blocking ${action}: ${texts.join('; ')}`;
}
