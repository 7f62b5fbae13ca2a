const shape = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;
const microShape = /\.\d{6}(?:Z|[+-]\d{2}:\d{2})$/;

const timeLayout = '2006-01-02T15:04:05Z07:00';
const microTimeLayout = '2006-01-02T15:04:05.000000Z07:00';

/** The stored form of a Time: UTC, whole seconds. */
export function canonicalTime(text: string): string | undefined {
  const ms = parse(text);
  return ms === undefined ? undefined : formatTime(ms);
}

/** The stored form of a MicroTime: UTC, six digits. Upstream takes nothing but exactly six. */
export function canonicalMicroTime(text: string): string | undefined {
  if (!microShape.test(text)) return undefined;
  const ms = parse(text);
  if (ms === undefined) return undefined;
  const dot = text.indexOf('.');
  return `${formatTime(ms).slice(0, -1)}${text.slice(dot, dot + 7)}Z`;
}

export function timeProblem(text: string, micro: boolean): string {
  return `parsing time ${JSON.stringify(text)} as "${micro ? microTimeLayout : timeLayout}": cannot parse ${JSON.stringify(text)} as "2006"`;
}

/** Milliseconds of a date in RFC 3339 without its fraction of a second. */
function parse(text: string): number | undefined {
  const match = text.length > 40 ? null : shape.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second] = match.map(Number);
  const ms = Date.UTC(year ?? 0, (month ?? 1) - 1, day ?? 1, hour ?? 0, minute ?? 0, second ?? 0);
  const date = new Date(ms);
  if (date.getUTCMonth() !== (month ?? 1) - 1 || date.getUTCDate() !== day) return undefined;
  if ((hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return undefined;
  return ms - offsetMs(match[8] ?? 'Z');
}

function offsetMs(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

export function formatTime(ms: number): string {
  return `${new Date(Math.floor(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds of a stored time, or undefined. */
export function timeMs(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : ms;
}
