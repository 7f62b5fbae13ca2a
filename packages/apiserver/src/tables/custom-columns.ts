import { type Frozen, type KubeObject, stringifyJson } from '@slipway/kube';
import type { TableColumn, TablePrinter } from '../registry/index.js';
import { humanAge } from './human-duration.js';

/** `additionalPrinterColumns` of a CustomResourceDefinition. */
export interface PrinterColumn extends TableColumn {
  readonly jsonPath: string;
}

/** Compiles `.spec.replicas` (no braces) into a search; an invalid path throws. */
export type CompileJsonPath = (path: string) => (object: unknown) => readonly unknown[];

export const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
};

const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: 'The time since the object was created.',
  jsonPath: '.metadata.creationTimestamp',
};

/** What kinds without columns of their own show. */
export const defaultPrinter: TablePrinter = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', humanAge(object.metadata.creationTimestamp, now)],
};

/** The printer of a custom resource: its name, then the columns that its definition asks for. */
export function customColumns(columns: readonly PrinterColumn[], compile: CompileJsonPath): TablePrinter {
  if (columns.length === 0) return defaultPrinter;
  const searches = columns.map((column) => ({ type: column.type, find: compile(column.jsonPath) }));
  return {
    columns: [nameColumn, ...columns],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...searches.map(({ type, find }) => cell(type, find, object, now)),
    ],
  };
}

function cell(
  type: TableColumn['type'],
  find: (object: unknown) => readonly unknown[],
  object: Frozen<KubeObject>,
  now: number,
): unknown {
  let results: readonly unknown[];
  try {
    results = find(object);
  } catch {
    // A path that does not fit the object is the same as one that finds nothing.
    return null;
  }
  if (results.length === 0 || results[0] === undefined) return null;
  const value = results[0];
  return type === 'string' ? printText(value) : printTyped(type, value, now);
}

/** Numbers and booleans keep their JSON type; what does not match its column is left out. */
function printTyped(type: TableColumn['type'], value: unknown, now: number): unknown {
  if (type === 'date') return typeof value === 'string' ? humanAge(value === '' ? 'empty' : value, now) : null;
  if (type === 'boolean') return typeof value === 'boolean' ? value : null;
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') return null;
  return type === 'integer' ? Math.trunc(value) : value;
}

function printText(value: unknown): string {
  if (value === null) return '<no value>';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? stringifyJson(sortKeys(value)) : String(value as number | boolean | bigint);
}

/** Go prints maps with sorted keys. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sortKeys(item)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
