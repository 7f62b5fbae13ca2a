const nameSegment = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** At most 63 characters of `[-a-z0-9]`, without a dash at either end. */
export function isShortName(text: string): boolean {
  return text.length <= 63 && nameSegment.test(text);
}

/** Short names joined by dots, at most 253 characters in total, without a limit per segment. */
export function isLongName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((segment) => nameSegment.test(segment));
}
