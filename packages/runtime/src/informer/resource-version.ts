const decimal = /^(?:0|[1-9][0-9]*)$/;

/** Returns whether `left` is older than `right`. Versions that are not numbers cannot be compared and are never older. */
export function isOlderVersion(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || !decimal.test(left) || !decimal.test(right)) return false;
  return left.length === right.length ? left < right : left.length < right.length;
}
