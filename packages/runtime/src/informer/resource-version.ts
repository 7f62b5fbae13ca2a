const decimal = /^(?:0|[1-9][0-9]*)$/;

/** Whether `left` is older than `right`. Non-numeric versions cannot be compared and are never older. */
export function isOlderVersion(left: string | undefined, right: string | undefined): boolean {
  if (left === undefined || right === undefined || !decimal.test(left) || !decimal.test(right)) return false;
  return left.length === right.length ? left < right : left.length < right.length;
}
