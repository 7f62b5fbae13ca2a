/**
 * Sets an own property under any key. Plain assignment to `__proto__` would change the object's prototype instead, which
 * allows prototype pollution by untrusted keys.
 */
export function setKey<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** Returns the own property under `key`. Never returns inherited properties such as `constructor`. */
export function getKey<T>(target: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}
