import { applyDefaults, asJson, type Frozen, internalError, type KubeObject, StatusError } from '@slipway/kube';
import type { AdmissionRequest } from '../../contract/index.js';
import { concernsPart, convertTo, type View } from './equivalents.js';

/** The objects of a request in one view. */
export interface VersionedObjects {
  readonly object: Frozen<KubeObject> | undefined;
  readonly oldObject: Frozen<KubeObject> | undefined;
}

/** Converts the objects of one request to the versions that webhooks and policies match, and caches the results. */
export class VersionedRequest {
  readonly #request: AdmissionRequest;
  readonly #own: View;
  readonly #old = new Map<View, Frozen<KubeObject>>();
  readonly #new = new Map<View, KubeObject>();
  readonly #isPart: boolean;
  /** The view in which the new object was last set. Other views are converted from it. */
  #current: View;

  constructor(request: AdmissionRequest, own: View) {
    this.#request = request;
    this.#own = own;
    this.#current = own;
    this.#isPart = concernsPart(request, own);
    if (request.object !== undefined) this.#new.set(own, request.object);
    if (request.oldObject !== undefined) this.#old.set(own, request.oldObject);
  }

  get own(): View {
    return this.#own;
  }

  async at(view: View): Promise<VersionedObjects> {
    if (this.#isPart) return { object: this.#new.get(this.#own), oldObject: this.#request.oldObject };
    try {
      return { object: await this.#newAt(view), oldObject: await this.#oldAt(view) };
    } catch (error) {
      throw error instanceof StatusError ? error : internalError(messageOf(error));
    }
  }

  /** Replaces the new object with `object`, which has the version of `view`, and applies defaults to it. */
  replace(view: View, object: KubeObject): void {
    if (this.#isPart) {
      this.#new.set(this.#own, object);
      return;
    }
    try {
      applyDefaults(view.version.schema, asJson(object));
      view.definition.strategy.setDefaults?.(object);
    } catch (error) {
      throw internalError(messageOf(error));
    }
    this.#new.clear();
    this.#new.set(view, object);
    this.#current = view;
  }

  /** Converts the latest new object to the version of the request and stores it in the request. */
  async finish(): Promise<void> {
    if (this.#request.object === undefined) return;
    const { object } = await this.at(this.#own);
    this.#request.object = object as KubeObject;
  }

  async #newAt(view: View): Promise<KubeObject | undefined> {
    const known = this.#new.get(view);
    if (known !== undefined) return known;
    const current = this.#new.get(this.#current);
    if (current === undefined) return undefined;
    const converted = await convertTo(current as Frozen<KubeObject>, this.#current, view);
    this.#new.set(view, converted);
    return converted;
  }

  async #oldAt(view: View): Promise<Frozen<KubeObject> | undefined> {
    const known = this.#old.get(view);
    if (known !== undefined || this.#request.oldObject === undefined) return known;
    const converted = (await convertTo(this.#request.oldObject, this.#own, view)) as Frozen<KubeObject>;
    this.#old.set(view, converted);
    return converted;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
