import { deepEqual, type Thawed } from '@slipway/kube';

type Node = Record<PropertyKey, unknown>;

interface Session {
  open: boolean;
}

/** The state of a draft. `copy` is created by the first change; until then everything is read from `base`. */
class Draft {
  copy: Node | undefined;
  proxies: Map<PropertyKey, { readonly base: object; readonly proxy: object }> | undefined;

  constructor(
    readonly base: Node,
    readonly parent: Draft | undefined,
    readonly session: Session,
  ) {}
}

/** The key under which a draft exposes its state. */
const stateKey = Symbol('draft');

/**
 * Returns a changed copy of a frozen object. `recipe` mutates a draft; only the changed parts are copied, all others are shared.
 * Returns `object` itself if nothing changed. Supports JSON values only (no maps, classes or patches). The result is deep-frozen
 * like every cached object.
 */
export function edit<T extends object>(object: T, recipe: (draft: Thawed<T>) => void): T {
  const session = { open: true };
  const proxy = createDraft(object as Node, undefined, session);
  try {
    recipe(proxy as Thawed<T>);
  } finally {
    session.open = false;
  }
  return finish(proxy) as T;
}

/**
 * Creates the proxy of a draft. The proxy target holds the draft; for a list the target is an array, so that Array.isArray
 * returns true. Handlers are shared, because creating them is expensive.
 */
function createDraft(base: Node, parent: Draft | undefined, session: Session): object {
  const draft = new Draft(base, parent, session);
  return Array.isArray(base) ? new Proxy([draft], listHandler) : new Proxy(draft, objectHandler);
}

function handlerOf<Target extends object>(draftOf: (target: Target) => Draft): ProxyHandler<Target> {
  return {
    get: (target, key) => (key === stateKey ? draftOf(target) : read(draftOf(target), key)),
    has: (target, key) => key in latest(draftOf(target)),
    ownKeys: (target) => Reflect.ownKeys(latest(draftOf(target))),
    getPrototypeOf: (target) => Object.getPrototypeOf(draftOf(target).base) as object | null,
    set: (target, key, value) => write(draftOf(target), key, value),
    deleteProperty: (target, key) => remove(draftOf(target), key),
    defineProperty: (target, key, descriptor) => write(draftOf(target), key, descriptor.value),
    getOwnPropertyDescriptor(target, key) {
      const draft = draftOf(target);
      const found = Object.getOwnPropertyDescriptor(latest(draft), key);
      if (found === undefined) return undefined;
      // A proxy must report the length of an array as not configurable, because the length of its target is not.
      const configurable = !(Array.isArray(target) && key === 'length');
      return { value: read(draft, key), writable: true, enumerable: found.enumerable ?? true, configurable };
    },
  };
}

const objectHandler = handlerOf((target: Draft) => target);
const listHandler = handlerOf((target: Draft[]) => target[0] as Draft);

function stateOf(value: object): Draft | undefined {
  return (value as { readonly [stateKey]?: Draft })[stateKey];
}

function latest(draft: Draft): Node {
  return draft.copy ?? draft.base;
}

function read(draft: Draft, key: PropertyKey): unknown {
  const holder = latest(draft);
  const value = holder[key];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(holder, key)) return value;
  // Values that were added during this edit belong to the caller, and can be changed directly without a draft.
  if (value !== draft.base[key] && (!Object.isFrozen(value) || stateOf(value) !== undefined)) return value;
  const known = draft.proxies?.get(key);
  if (known !== undefined && known.base === value) return known.proxy;
  const proxy = createDraft(value as Node, draft, draft.session);
  draft.proxies ??= new Map();
  draft.proxies.set(key, { base: value, proxy });
  return proxy;
}

function write(draft: Draft, key: PropertyKey, value: unknown): boolean {
  const copy = own(draft);
  if (key === '__proto__')
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
  else copy[key] = value;
  return true;
}

function remove(draft: Draft, key: PropertyKey): boolean {
  if (!Object.hasOwn(latest(draft), key)) return true;
  return Reflect.deleteProperty(own(draft), key);
}

/** Returns the mutable copy of a draft. Creating the copy also copies every ancestor. */
function own(draft: Draft): Node {
  if (!draft.session.open) throw new TypeError('a draft cannot be changed after its edit has ended');
  if (draft.copy !== undefined) return draft.copy;
  draft.copy = shallowCopy(draft.base);
  if (draft.parent !== undefined) own(draft.parent);
  return draft.copy;
}

function shallowCopy(base: Node): Node {
  if (Array.isArray(base)) return base.slice() as unknown as Node;
  // Spread syntax defines properties instead of assigning them, so that a key named __proto__ stays a key.
  return { ...base };
}

/** Returns the final value of a draft, or of a value that may contain drafts. */
function finish(value: object): object {
  const draft = stateOf(value);
  if (draft === undefined) return Object.isFrozen(value) ? value : finishOwned(value as Node, undefined);
  const { copy, base, proxies } = draft;
  if (copy === undefined) return base;
  if (proxies !== undefined)
    for (const [key, child] of proxies) if (copy[key] === child.base) copy[key] = finish(child.proxy);
  const result = finishOwned(copy, base);
  return deepEqual(result, base) ? base : result;
}

/** Finishes and freezes a copied node. Members that are the same as in `base` are already final. */
function finishOwned(node: Node, base: Node | undefined): Node {
  const isList = Array.isArray(node);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === undefined && !isList) delete node[key];
    else if (typeof value === 'object' && value !== null && value !== base?.[key]) node[key] = finish(value);
  }
  return Object.freeze(node);
}
