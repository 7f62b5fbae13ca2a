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

/** Seconds until the hooks are called again: the shortest that any extension asks for; zero when none is blocking. */
export function retryAfterSeconds(answers: HookAnswers): number {
  const waits = [...answers.values()].map((answer) => answer.retryAfterSeconds).filter((seconds) => seconds > 0);
  return waits.length === 0 ? 0 : Math.min(...waits);
}

/** The hooks that block `action`, with their messages; empty when none does. */
export function blockingMessage(answers: HookAnswers, action: string): string {
  const texts = [...answers]
    .filter(([, answer]) => answer.retryAfterSeconds !== 0)
    .map(([hook, { message }]) => (message === '' ? hook : `${hook}: ${message}`))
    .sort();
  return texts.length === 0 ? '' : `Following hooks are blocking ${action}: ${texts.join('; ')}`;
}
