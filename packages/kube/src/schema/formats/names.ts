const uuid = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const uuid4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const uuid5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

export function isUuid3(text: string): boolean {
  return uuid3.test(text);
}

export function isUuid4(text: string): boolean {
  return uuid4.test(text);
}

export function isUuid5(text: string): boolean {
  return uuid5.test(text);
}

const nameSegment = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** At most 63 characters of `[-a-z0-9]` with no dash at either end. */
export function isShortName(text: string): boolean {
  return text.length <= 63 && nameSegment.test(text);
}

/** Short names joined by dots, 253 characters in all, with no limit for one segment. */
export function isLongName(text: string): boolean {
  return text.length <= 253 && text.split('.').every((segment) => nameSegment.test(segment));
}
