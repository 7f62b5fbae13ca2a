import { BootstrapDataError } from '../types.js';

/** The path of a value in the configuration, and the callback for warnings about it. */
export interface Place {
  readonly path: string;
  readonly warn: (message: string) => void;
}

/** Converts a value of a Container Linux Config to Ignition. Undefined values are not written. */
export type Reader = (value: unknown, place: Place) => unknown;

/** One field: its name in Ignition, its name in the Container Linux Config, and its reader. */
export type Field = readonly [written: string, read: string, reader: Reader];

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const text: Reader = (value, place) => {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value !== 'number' && typeof value !== 'boolean') throw wrongType(place, 'a string');
  return String(value);
};

/** Reads a string that is written even if it is empty. */
export const requiredText: Reader = (value, place) => text(value, place) ?? '';

export const integer: Reader = (value, place) => {
  if (value === undefined || value === null) return undefined;
  if (!Number.isSafeInteger(value)) throw wrongType(place, 'a whole number');
  return value;
};

/** Reads a boolean that is written only if it is true. */
export const flag: Reader = (value, place) => (choice(value, place) === true ? true : undefined);

/** Reads a boolean for which false differs from absent. */
export const choice: Reader = (value, place) => {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw wrongType(place, 'true or false');
  return value;
};

export function list(item: Reader): Reader {
  return (value, place) => {
    if (value === undefined || value === null) return undefined;
    if (!Array.isArray(value)) throw wrongType(place, 'a list');
    const items = value.map((entry, index) => item(entry, { ...place, path: `${place.path}[${index}]` }));
    return items.length === 0 ? undefined : items;
  };
}

/** Returns a reader for an object that is written even if it is empty. */
export function mapping(fields: readonly Field[]): Reader {
  return (value, place) => {
    const given = value === undefined || value === null ? {} : value;
    if (!isMapping(given)) throw wrongType(place, 'a mapping');
    warnOfUnknown(given, fields, place);
    const members = fields.map(([written, read, reader]) => {
      const member = Object.hasOwn(given, read) ? given[read] : undefined;
      return [written, reader(member, { ...place, path: joined(place.path, read) })] as const;
    });
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
}

export function optionalMapping(fields: readonly Field[]): Reader {
  const reader = mapping(fields);
  return (value, place) => (value === undefined || value === null ? undefined : reader(value, place));
}

function warnOfUnknown(given: object, fields: readonly Field[], place: Place): void {
  for (const key of Object.keys(given)) {
    if (!fields.some(([, read]) => read === key)) place.warn(`${joined(place.path, key)}: Config has unrecognized key`);
  }
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

export function wrongType(place: Place, desired: string): BootstrapDataError {
  return invalid(place, `must be ${desired}`);
}

export function invalid(place: Place, message: string): BootstrapDataError {
  return new BootstrapDataError(
    'InvalidIgnitionConfig',
    `converting additional CLC to Ignition: ${place.path === '' ? 'the document' : place.path} ${message}`,
  );
}
