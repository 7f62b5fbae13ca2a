/**
 * Assigns an own property whatever the key is called. Plain assignment to `__proto__` would change the prototype of the
 * object instead: how foreign keys turn into prototype pollution.
 */
export function setKey<T>(target: { [key: string]: T }, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    target[key] = value;
  }
}

/** The own property of that name: `constructor` and friends are never found on the prototype. */
export function getKey<T>(target: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(target, key) ? target[key] : undefined;
}
