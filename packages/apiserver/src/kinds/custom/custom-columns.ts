import { compileJsonPath, formatAge, type Frozen, type JsonPath, type KubeObject, stringifyJson } from '@slipway/kube';
import type { TableColumn, TablePrinter } from '../../contract/index.js';

/** One entry of `additionalPrinterColumns` of a CRD. */
export interface PrinterColumn extends Omit<TableColumn, 'type'> {
  /** The type as in the manifest. Unknown types are printed as strings. */
  readonly type: string;
  readonly jsonPath: string;
}

const nameColumn: TableColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name must be unique within a namespace.',
};

const ageColumn: TableColumn = {
  name: 'Age',
  type: 'date',
  description: 'The time since the object was created.',
};

/** Table of a custom resource without additionalPrinterColumns: name and age. */
export const defaultPrinter: TablePrinter = {
  columns: [nameColumn, ageColumn],
  cells: (object, now) => [object.metadata.name ?? '', formatAge(object.metadata.creationTimestamp, now)],
};

/** Returns the table of a custom resource: its name, then the additionalPrinterColumns. Throws JsonPathError. */
export function customColumns(columns: readonly PrinterColumn[]): TablePrinter {
  if (columns.length === 0) return defaultPrinter;
  const searches = columns.map(({ type, jsonPath }) => ({ type: columnType(type), path: compileJsonPath(jsonPath) }));
  return {
    columns: [
      nameColumn,
      ...columns.map(({ jsonPath: _path, type, ...rest }) => ({ ...rest, type: columnType(type) })),
    ],
    cells: (object, now) => [
      object.metadata.name ?? '',
      ...searches.map(({ type, path }) => cell(type, path, object, now)),
    ],
  };
}

const columnTypes: readonly string[] = ['integer', 'number', 'boolean', 'date'] satisfies TableColumn['type'][];

function columnType(text: string): TableColumn['type'] {
  return columnTypes.includes(text) ? (text as TableColumn['type']) : 'string';
}

function cell(type: TableColumn['type'], path: JsonPath, object: Frozen<KubeObject>, now: number): unknown {
  const value = path.first(object);
  if (value === undefined) return null;
  return type === 'string' ? printText(value) : printTyped(type, value, now);
}

/**
 * Returns the cell of a value. Numbers and booleans keep their JSON type; values that do not match the column type are omitted.
 */
function printTyped(type: TableColumn['type'], value: unknown, now: number): unknown {
  if (type === 'date') return typeof value === 'string' ? formatAge(value === '' ? 'empty' : value, now) : null;
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

/** Sorts the keys of maps, because Go prints them sorted. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sortKeys(item)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}
