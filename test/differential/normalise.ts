import { isRecent, isRecord } from './values.js';

/** Marks values that differ between servers (`<uid …>`), so that `Pairing` matches them, and removes irrelevant values. */
export class Normaliser {
  readonly #replacements: readonly (readonly [RegExp, string])[];

  constructor(port: number) {
    this.#replacements = [
      [new RegExp(`(127\\.0\\.0\\.1|localhost|\\[::1\\]):${port}`, 'g'), '<server>'],
      [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
      [/-----BEGIN [A-Z ]+-----[^-]+-----END [A-Z ]+-----\n?/g, '<pem>'],
      [/LS0tLS1CRUdJTi[\w+/=]+/g, '<pem-base64>'],
      [/\b(gen-|Gen_|kube-api-access-)[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1<random>'],
      [/Too large resource version: (\d+), current: \d+/g, 'Too large resource version: $1, current: <rv>'],
      [/in record \(\d+\)/g, 'in record (<rv>)'],
      [/too old resource version: (\d+) \(\d+\)/g, 'too old resource version: $1 (<rv>)'],
    ];
  }

  /** Normalizes a complete response or watch event. */
  body(body: unknown): unknown {
    if (!isRecord(body)) return this.#value(body, '', []);
    const isEvent = typeof body.type === 'string' && isRecord(body.object);
    const object = isEvent ? body.object : body;
    // The resourceVersion of a list or bookmark changes with every write to the store: only those of objects are compared.
    const isShared =
      body.type === 'BOOKMARK' || (isRecord(object) && (Array.isArray(object.items) || Array.isArray(object.rows)));
    if (!isShared || !isRecord(object) || !isRecord(object.metadata)) return this.#value(body, '', []);
    const hidden = withoutVersion(object);
    // A bookmark as a Table repeats its resourceVersion in its only row.
    if (body.type === 'BOOKMARK' && Array.isArray(object.rows)) {
      hidden.rows = object.rows.map((row: unknown) =>
        isRecord(row) && isRecord(row.object) ? { ...row, object: withoutVersion(row.object) } : row,
      );
    }
    return this.#value(isEvent ? { ...body, object: hidden } : hidden, '', []);
  }

  text(text: string): string {
    let result = text;
    for (const [pattern, replacement] of this.#replacements) result = result.replace(pattern, replacement);
    return result
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uid $&>')
      .replace(/\b10\.0\.\d+\.\d+\b/g, '<address $&>')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time, fraction: string | undefined) =>
        isRecent(time) ? `<time${fraction === undefined ? '' : `.${fraction.length - 1}`}>` : time,
      );
  }

  #value(value: unknown, key: string, path: readonly string[]): unknown {
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#value(item, key, [...path, '[]']));
      // Entries are sorted by time with a resolution of one second, so the order of two entries is not deterministic.
      return key === 'managedFields' ? items.sort(byManager) : items;
    }
    if (isRecord(value)) {
      const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
      return Object.fromEntries(
        entries.map(([name, item]) => [this.text(name), this.#value(item, name, [...path, name])]),
      );
    }
    if (typeof value === 'number') return key === 'nodePort' && value >= 30_000 ? '<node-port>' : value;
    return typeof value === 'string' ? this.#string(value, key, path) : value;
  }

  #string(value: string, key: string, path: readonly string[]): string {
    if (key === 'resourceVersion' && /^\d+$/.test(value)) return `<rv ${value}>`;
    if (key === 'continue' && value !== '') return '<continue>';
    if (key === 'storageVersionHash') return '<hash>';
    if (path.at(-2) === 'cells')
      return this.text(value)
        .replace(/^(\d+[smhdy])+$/, '<age>')
        .replace(/:3\d{4}\//g, ':<node-port>/');
    return this.text(value);
  }
}

function byManager(left: unknown, right: unknown): number {
  const identity = (entry: unknown): string => {
    const { manager, operation, subresource, apiVersion } = entry as Record<string, unknown>;
    return JSON.stringify([manager, operation, subresource, apiVersion]);
  };
  return identity(left) < identity(right) ? -1 : 1;
}

function withoutVersion(object: Record<string, unknown>): Record<string, unknown> {
  const { metadata } = object;
  if (!isRecord(metadata) || !metadata.resourceVersion) return { ...object };
  return { ...object, metadata: { ...metadata, resourceVersion: '<rv>' } };
}
