export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

/** Whether a time is near now, or a year ahead as for expiring certificates. Times that a script sets are kept. */
export function isRecent(time: string): boolean {
  const distance = Math.abs(Date.parse(time) - Date.now());
  return distance < 3 * dayMs || Math.abs(distance - yearMs) < 3 * dayMs;
}

/** Returns the value at a path such as `metadata.uid` or `items.0.metadata.name`. */
export function valueAt(root: unknown, path: string): unknown {
  let value = root;
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(name)];
    else if (isRecord(value)) value = value[name];
    else return undefined;
  }
  return value;
}

export interface Difference {
  readonly path: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

/** Maps the marked values of one server to those of the other: one to one within a script. */
export class Pairing {
  readonly #toOurs = new Map<string, string>();
  readonly #toTheirs = new Map<string, string>();

  equal(theirs: string, ours: string): boolean {
    const mark = /<(?:uid|rv|address) [^>]+>/g;
    if (theirs.replaceAll(mark, '<>') !== ours.replaceAll(mark, '<>')) return false;
    const ourMarks = ours.match(mark) ?? [];
    return (theirs.match(mark) ?? []).every((their, index) => this.#pair(their, ourMarks[index] ?? ''));
  }

  #pair(theirs: string, ours: string): boolean {
    const known = this.#toOurs.get(theirs);
    if (known === undefined && !this.#toTheirs.has(ours)) {
      this.#toOurs.set(theirs, ours);
      this.#toTheirs.set(ours, theirs);
      return true;
    }
    return known === ours;
  }
}

/** Returns every leaf in which the two responses differ. */
export function differences(theirs: unknown, ours: unknown, pairing: Pairing, path = ''): Difference[] {
  if (typeof theirs === 'string' && typeof ours === 'string' && pairing.equal(theirs, ours)) return [];
  if (Object.is(theirs, ours)) return [];
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    if (theirs.length !== ours.length) return [{ path, theirs, ours }];
    return theirs.flatMap((item, index) => differences(item, ours[index], pairing, `${path}[${index}]`));
  }
  if (isRecord(theirs) && isRecord(ours)) return recordDifferences(theirs, ours, pairing, path);
  return [{ path, theirs, ours }];
}

function recordDifferences(
  theirs: Record<string, unknown>,
  named: Record<string, unknown>,
  pairing: Pairing,
  path: string,
): Difference[] {
  const ours: Record<string, unknown> = { ...named };
  // Keys may contain marked values too: `k:{"uid":"<uid …>"}`.
  for (const key of Object.keys(theirs).filter((name) => name.includes('<uid '))) {
    const counterpart = Object.keys(named).find((name) => name.includes('<uid ') && pairing.equal(key, name));
    if (counterpart === undefined) continue;
    delete ours[counterpart];
    ours[key] = named[counterpart];
  }
  const names = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...names].flatMap((name) =>
    differences(theirs[name], ours[name], pairing, path === '' ? name : `${path}.${name}`),
  );
}
