import { type Fields, fieldsOf } from '@slipway/kube';

// These accessors need not validate: typed decoding has already checked objects against the built-in type.
export {
  ensureFields as child,
  type Fields,
  fieldsOf as fields,
  isFields as has,
  itemsOf as list,
  numberOf as number,
  textOf as text,
  textsOf as texts,
} from '@slipway/kube';

/** Sets the fields that are absent in `target`. */
export function fill(target: Fields, defaults: Fields): void {
  for (const [key, value] of Object.entries(defaults)) {
    if (target[key] === undefined) target[key] = value;
  }
}

/** Sets a field only if its value differs. Parts that the request shares with the stored object are frozen, but already equal. */
export function set(target: Fields, key: string, value: unknown): void {
  if (target[key] !== value) target[key] = value;
}

/** Sets a key, or removes it if the value is undefined. */
export function put(target: Fields, key: string, value: unknown): void {
  if (value === undefined) delete target[key];
  else target[key] = value;
}

/** Returns the keys in sorted order, in which Go prints maps. */
export function sortedKeys(value: unknown): string[] {
  return Object.keys(fieldsOf(value)).sort();
}
