import type { ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import { keyOf } from './object-key.js';

/** A list view of vCenter. Concurrent additions and removals are batched into one call. */
export class ObjectList {
  readonly #add = new Map<string, ObjectRef>();
  readonly #remove = new Map<string, ObjectRef>();
  #flushing = false;
  #closed = false;

  constructor(
    readonly view: ObjectRef,
    private readonly session: Pick<SoapSession, 'call'>,
    private readonly options: CallOptions,
    private readonly on: { readonly missing: (ref: ObjectRef) => void; readonly failure: (error: unknown) => void },
  ) {}

  add(ref: ObjectRef): void {
    this.#remove.delete(keyOf(ref));
    this.#add.set(keyOf(ref), ref);
    this.#flush();
  }

  remove(ref: ObjectRef): void {
    this.#add.delete(keyOf(ref));
    this.#remove.set(keyOf(ref), ref);
    this.#flush();
  }

  close(): void {
    this.#closed = true;
  }

  #flush(): void {
    if (this.#flushing || this.#closed) return;
    this.#flushing = true;
    void this.#flushAll();
  }

  async #flushAll(): Promise<void> {
    try {
      await Promise.resolve();
      while (!this.#closed && this.#add.size + this.#remove.size > 0) {
        const parameters = { add: [...this.#add.values()], remove: [...this.#remove.values()] };
        this.#add.clear();
        this.#remove.clear();
        const missing = await this.session.call('ModifyListView', this.view, parameters, this.options);
        for (const ref of missing) this.on.missing(ref);
      }
    } catch (error) {
      // The content of the view is unknown after a failure. The hub then replaces its collector and views.
      this.on.failure(error);
    }
    this.#flushing = false;
  }
}
