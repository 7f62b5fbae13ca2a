import { deepEqual, type Thawed } from '@slipway/kube';

type Node = Record<PropertyKey, unknown>;

interface Session {
  open: boolean;
}

/** The state behind a draft. `copy` exists from the first change on; until then everything is read from `base`. */
class Draft {
  copy: Node | undefined;
  proxies: Map<PropertyKey, { readonly base: object; readonly proxy: object }> | undefined;

  constructor(
    readonly base: Node,
    readonly parent: Draft | undefined,
    readonly session: Session,
  ) {}
}

/** Under this key a draft gives its state away. */
const stateKey = Symbol('draft');

/**
 * Computes a changed copy of a frozen object: `recipe` changes a draft as if it owned it, and only what it touched is
 * copied, the rest is shared. Gives back `object` itself when nothing changed in the end.
 *
 * Not a library, because JSON values are all there is here: no maps, no classes, no patches, and a result that is already
 * deep-frozen as every cached object is.
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

/** The target carries the state; its kind is what Array.isArray sees. Handlers are shared: making them is what costs. */
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
      // The length of an array is never configurable: the engine checks that against the target.
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
  // What was put in during this edit is the caller's own and can be changed directly.
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

/** The changeable copy. Taking one marks the way up: every ancestor will be rebuilt. */
function own(draft: Draft): Node {
  if (!draft.session.open) throw new TypeError('a draft cannot be changed after its edit has ended');
  if (draft.copy !== undefined) return draft.copy;
  draft.copy = shallowCopy(draft.base);
  if (draft.parent !== undefined) own(draft.parent);
  return draft.copy;
}

function shallowCopy(base: Node): Node {
  if (Array.isArray(base)) return base.slice() as unknown as Node;
  // Spreading defines properties instead of assigning them: a key named __proto__ stays a key.
  return { ...base };
}

/** The final value of a draft or of a value that may contain drafts. */
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

/** Members that are still those of `base` are final already. */
function finishOwned(node: Node, base: Node | undefined): Node {
  const isList = Array.isArray(node);
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === undefined && !isList) delete node[key];
    else if (typeof value === 'object' && value !== null && value !== base?.[key]) node[key] = finish(value);
  }
  return Object.freeze(node);
}
