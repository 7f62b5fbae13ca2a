/** Formats the local time, for example `14:03:22`. */
export function clockTime(ms: number): string {
  return new Date(ms).toLocaleTimeString(undefined, { hour12: false });
}

const units: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** Formats a duration as `3d 4h`, `12m` or `8s`: the two largest units, or one unit for short durations. */
export function span(ms: number): string {
  const index = units.findIndex(([, size]) => ms >= size);
  const unit = units[index];
  if (unit === undefined) return ms < 1_000 && ms > 0 ? `${Math.round(ms)}ms` : '0s';
  const [name, size] = unit;
  const count = Math.floor(ms / size);
  const next = units[index + 1];
  const rest = next === undefined || count >= 10 ? 0 : Math.floor((ms % size) / next[1]);
  return rest === 0 ? `${count}${name}` : `${count}${name} ${rest}${next?.[0] ?? ''}`;
}
