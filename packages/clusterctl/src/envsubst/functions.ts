/** Applies an operator to the value of a variable. Lengths and positions count bytes, as upstream. */
export function applyOperator(operator: string, value: string, operands: readonly string[]): string {
  const [first = '', second = ''] = operands;
  switch (operator) {
    case ',':
      return changeFirst(value, (sign) => sign.toLowerCase());
    case ',,':
      return value.toLowerCase();
    case '^':
      return changeFirst(value, (sign) => sign.toUpperCase());
    case '^^':
      return value.toUpperCase();
    case ':':
      return substring(value, operands);
    case '/':
    case '//':
    case '/#':
    case '/%':
      return replace(operator, value, first, second, operands.length);
    case '#':
      return operands.length === 0 ? String(Buffer.byteLength(value)) : trimStart(value, first, 'shortest');
    case '##':
      return trimStart(value, first, 'longest');
    case '%':
      return trimEnd(value, first, 'shortest');
    case '%%':
      return trimEnd(value, first, 'longest');
    default:
      // Every other operator sets a default for a variable that is empty or not set.
      return value === '' ? operands.join('') : value;
  }
}

function changeFirst(value: string, change: (sign: string) => string): string {
  const [first = ''] = value;
  return change(first) + value.slice(first.length);
}

function substring(value: string, operands: readonly string[]): string {
  const numbers = operands.map((text) => (/^[+-]?\d+$/.test(text) ? Number(text) : undefined));
  const [position, length] = numbers;
  // An invalid number leaves the value unchanged.
  if (position === undefined || (operands.length > 1 && length === undefined)) return value;
  const bytes = Buffer.from(value);
  const start = position < 0 ? Math.max(0, bytes.length + position) : position;
  return bytes.subarray(start, length === undefined ? undefined : Math.max(start, start + length)).toString('utf8');
}

function replace(operator: string, value: string, desired: string, replacement: string, count: number): string {
  if (operator === '//') return value.replaceAll(desired, () => replacement);
  if (operator === '/') return value.replace(desired, () => replacement);
  if (count < 2) return value;
  if (operator === '/#') return value.startsWith(desired) ? replacement + value.slice(desired.length) : value;
  return value.endsWith(desired) ? value.slice(0, value.length - desired.length) + replacement : value;
}

function trimStart(value: string, glob: string, which: 'shortest' | 'longest'): string {
  const pattern = globPattern(glob);
  const signs = Array.from(value);
  const length = matchingLength(signs.length, which, (count) => pattern?.test(signs.slice(0, count).join('')) === true);
  return signs.slice(length).join('');
}

function trimEnd(value: string, glob: string, which: 'shortest' | 'longest'): string {
  const pattern = globPattern(glob);
  const signs = Array.from(value);
  const keep = (count: number): number => signs.length - count;
  const length = matchingLength(
    signs.length,
    which,
    (count) => pattern?.test(signs.slice(keep(count)).join('')) === true,
  );
  return signs.slice(0, keep(length)).join('');
}

/** Returns the number of characters that match, shortest or longest first. 0 if nothing matches. */
function matchingLength(most: number, which: 'shortest' | 'longest', matches: (count: number) => boolean): number {
  const counts = Array.from({ length: most }, (_, index) => (which === 'shortest' ? index + 1 : most - index));
  return counts.find(matches) ?? 0;
}

/** Compiles a glob with `*`, `?` and `[a-z]`, which also match slashes. Undefined for an invalid pattern, which matches nothing. */
function globPattern(glob: string): RegExp | undefined {
  const source = glob.replaceAll(
    /\\(.)|\*|\?|\[(\^?)((?:\\.|[^\]\\])+)\]|[.+^${}()|[\]\\/]/gs,
    (part, escaped, negated, set) => {
      if (typeof escaped === 'string') return escapeSign(escaped);
      if (part === '*') return '.*';
      if (part === '?') return '.';
      return typeof set === 'string' ? `[${String(negated)}${set.replaceAll('[', String.raw`\[`)}]` : escapeSign(part);
    },
  );
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    return undefined;
  }
}

function escapeSign(sign: string): string {
  return /[.*+?^${}()|[\]\\/]/.test(sign) ? `\\${sign}` : sign;
}
