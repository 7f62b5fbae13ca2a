/** The largest estimate: the double nearest to upstream's maximum unsigned 64-bit integer. */
export const UNBOUNDED = 2 ** 64;

/** The minimum and maximum of a size or cost. */
export interface Interval {
  readonly min: number;
  readonly max: number;
}

export const unknownSize: Interval = { min: 0, max: UNBOUNDED };

export function fixed(value: number): Interval {
  return { min: value, max: value };
}

function capped(value: number): number {
  return Math.min(value, UNBOUNDED);
}

export function plus(...intervals: readonly Interval[]): Interval {
  let min = 0;
  let max = 0;
  for (const interval of intervals) {
    min = capped(min + interval.min);
    max = capped(max + interval.max);
  }
  return { min, max };
}

export function times(a: Interval, b: Interval): Interval {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

export function scaled(a: Interval, factor: number): Interval {
  return { min: capped(Math.ceil(a.min * factor)), max: capped(Math.ceil(a.max * factor)) };
}

export function union(a: Interval, b: Interval): Interval {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
