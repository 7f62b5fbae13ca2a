import { deepEqual, deepFreeze, type Thawed } from '@slipway/kube';

/** The state behind a draft. `copy` exists from the first change on; until then everything is read from `base`. */
interface Draft {
  readonly base: Node;
  copy: Node | undefined;
  readonly parent: Draft | undefined;
  readonly children: Map<PropertyKey, { readonly base: Node; readonly proxy: object }>;
  readonly edit: { open: boolean };
}

type Node = Record<PropertyKey, unknown>;

const drafts = new WeakMap<object, Draft>();

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

function createDraft(base: Node, parent: Draft | undefined, session: { open: boolean }): object {
  const draft: Draft = { base, copy: undefined, parent, children: new Map(), edit: session };
  // The target's kind is what Array.isArray sees; its contents are never used, so that frozen bases cannot interfere.
  const target = (Array.isArray(base) ? [] : {}) as Node;
  const proxy = new Proxy(target, handlerOf(draft));
  drafts.set(proxy, draft);
  return proxy;
}

function handlerOf(draft: Draft): ProxyHandler<Node> {
  const isArray = Array.isArray(draft.base);
  return {
    get: (_target, key) => read(draft, key),
    has: (_target, key) => key in latest(draft),
    ownKeys: () => Reflect.ownKeys(latest(draft)),
    getPrototypeOf: () => Object.getPrototypeOf(draft.base) as object | null,
    set: (_target, key, value) => write(draft, key, value),
    deleteProperty: (_target, key) => remove(draft, key),
    defineProperty: (_target, key, descriptor) => write(draft, key, descriptor.value),
    getOwnPropertyDescriptor(_target, key) {
      const found = Object.getOwnPropertyDescriptor(latest(draft), key);
      if (found === undefined) return undefined;
      // The length of an array is never configurable: the engine checks that against the target.
      const configurable = !(isArray && key === 'length');
      return { value: read(draft, key), writable: true, enumerable: found.enumerable ?? true, configurable };
    },
  };
}

function latest(draft: Draft): Node {
  return draft.copy ?? draft.base;
}

function read(draft: Draft, key: PropertyKey): unknown {
  const holder = latest(draft);
  const value = holder[key];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(holder, key)) return value;
  // What was put in during this edit is the caller's own and can be changed directly.
  if (drafts.has(value) || (value !== draft.base[key] && !Object.isFrozen(value))) return value;
  const known = draft.children.get(key);
  if (known !== undefined && known.base === value) return known.proxy;
  const proxy = createDraft(value as Node, draft, draft.edit);
  draft.children.set(key, { base: value as Node, proxy });
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
  if (!draft.edit.open) throw new TypeError('a draft cannot be changed after its edit has ended');
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
function finish(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const draft = drafts.get(value);
  if (draft === undefined) return Object.isFrozen(value) ? value : finishOwned(value as Node);
  if (draft.copy === undefined) return draft.base;
  const { copy } = draft;
  for (const [key, child] of draft.children) if (copy[key] === child.base) copy[key] = finish(child.proxy);
  const result = finishOwned(copy);
  return deepEqual(result, draft.base) ? draft.base : result;
}

function finishOwned(node: Node): Node {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (value === undefined && !Array.isArray(node)) delete node[key];
    else if (typeof value === 'object' && value !== null) node[key] = finish(value);
  }
  return deepFreeze(node);
}
