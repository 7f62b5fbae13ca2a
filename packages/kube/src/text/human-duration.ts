import { parseTime } from './time.js';

/**
 * Formats a duration like the ages of kubectl: two units for small values, one for larger ones. Slightly negative
 * durations are clock skew; other negative ones are `<invalid>`.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  return longDuration(hours);
}

function longDuration(hours: number): string {
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return pair(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return hours < 24 * 365 * 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

function pair(first: number, firstUnit: string, second: number, secondUnit: string): string {
  return second === 0 ? `${first}${firstUnit}` : `${first}${firstUnit}${second}${secondUnit}`;
}

/** Returns the age of `timestamp`: `<unknown>` if it is absent, `<invalid>` if it cannot be parsed. */
export function formatAge(timestamp: unknown, nowMs: number): string {
  if (timestamp === undefined || timestamp === null || timestamp === '') return '<unknown>';
  if (typeof timestamp !== 'string') return '<invalid>';
  try {
    return humanDuration(nowMs - parseTime(timestamp));
  } catch {
    return '<invalid>';
  }
}
