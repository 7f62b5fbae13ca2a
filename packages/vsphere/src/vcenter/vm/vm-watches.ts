import type { Disposable } from '@slipway/base';
import { keyText, type ObjectKey } from '@slipway/runtime';
import { type ObjectRef, keyOf, taskEnded, taskRef, type VimSession } from '../../vim25/index.js';

interface Watched {
  readonly session: VimSession;
  readonly machine?: Followed;
  readonly task?: Followed;
  /** Whether a task is running. Meanwhile, other changes of the VM are ignored. */
  isBusy: boolean;
}

interface Followed {
  readonly key: string;
  readonly watch: Disposable;
}

/**
 * Watches the VM and the task of each VSphereVM in vCenter, and enqueues the object when they change. Watches outlive the
 * reconcile that started them: no reconcile blocks.
 */
export class VmWatches implements Disposable {
  readonly #watched = new Map<string, Watched>();

  follow(
    key: ObjectKey,
    session: VimSession,
    what: { readonly machine?: ObjectRef; readonly task?: string },
    enqueue: (key: ObjectKey) => void,
  ): void {
    const text = keyText(key);
    const existing = this.#watched.get(text);
    const before = existing?.session === session ? existing : undefined;
    if (existing !== undefined && before === undefined) release(existing);
    const { machine } = what;
    const task = what.task === undefined ? undefined : taskRef(what.task);
    const isSameTask = task !== undefined && before?.task?.key === keyOf(task);
    // A new watch first reports the current state, which triggers a reconcile, because a change may have been missed before.
    this.#watched.set(text, {
      session,
      isBusy: isSameTask ? before.isBusy : task !== undefined,
      machine: keep(before?.machine, machine, (ref) =>
        session.updates.watch(ref, () => {
          if (this.#watched.get(text)?.isBusy !== true) enqueue(key);
        }),
      ),
      task: keep(before?.task, task, (ref) =>
        session.updates.watch(ref, (state) => {
          if (!taskEnded(state)) return;
          const watched = this.#watched.get(text);
          if (watched !== undefined) watched.isBusy = false;
          enqueue(key);
        }),
      ),
    });
  }

  forget(key: ObjectKey): void {
    const text = keyText(key);
    const existing = this.#watched.get(text);
    this.#watched.delete(text);
    if (existing !== undefined) release(existing);
  }

  dispose(): void {
    for (const watched of this.#watched.values()) release(watched);
    this.#watched.clear();
  }
}

function keep(
  current: Followed | undefined,
  desired: ObjectRef | undefined,
  watch: (ref: ObjectRef) => Disposable,
): Followed | undefined {
  const key = desired === undefined ? undefined : keyOf(desired);
  if (current?.key === key) return current;
  void current?.watch.dispose();
  return desired === undefined || key === undefined ? undefined : { key, watch: watch(desired) };
}

function release({ machine, task }: Watched): void {
  void machine?.watch.dispose();
  void task?.watch.dispose();
}
