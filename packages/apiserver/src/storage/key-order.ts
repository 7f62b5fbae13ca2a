interface Place {
  readonly namespace: string;
  readonly name: string;
}

/**
 * Compares keys in upstream's list order: by the string `namespace/name`. The slash takes part in the comparison, so namespace
 * `a-b` sorts before `a` ('-' sorts before '/').
 */
export function comparePlaces(left: Place, right: Place): number {
  if (left.namespace !== right.namespace) return compareNamespaces(left.namespace, right.namespace);
  return compareText(left.name, right.name);
}

export function compareNamespaces(left: string, right: string): number {
  return compareText(`${left}/`, `${right}/`);
}

function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Returns the index of the first item strictly after `place`. */
export function firstAfter(items: readonly { readonly key: Place }[], place: Place): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comparePlaces((items[middle] as { readonly key: Place }).key, place) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
