/**
 * Reads an own property by an untrusted key. For this and the functions below, `__proto__` and `constructor` are ordinary keys.
 */
export function getOwn<T>(object: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function setOwn<T>(object: Record<string, T>, key: string, value: T): void {
  if (key in Object.prototype && !Object.hasOwn(object, key)) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}
