import { formatAge, type Frozen, type KubeObject } from '@slipway/kube';
import type { TableColumn, TablePrinter } from '../../contract/index.js';
import { fields, type Fields, list, sortedKeys, text } from './fields.js';

export interface Column extends TableColumn {
  readonly cell: (object: Fields, now: number) => unknown;
}

type Cell = Column['cell'];

export function column(name: string, cell: Cell, type: TableColumn['type'] = 'string'): Column {
  return { name, type, cell };
}

/** Returns a column that is shown with `-o wide` only. */
export function wide(name: string, cell: Cell, type: TableColumn['type'] = 'string'): Column {
  return { name, type, priority: 1, cell };
}

export const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'The name of the object, unique in its namespace.',
  cell: (object) => fields(object.metadata).name ?? '',
};

export const ageColumn: Column = {
  name: 'Age',
  type: 'string',
  description: 'The time since the object was created.',
  cell: (object, now) => formatAge(fields(object.metadata).creationTimestamp, now),
};

export function printer(columns: readonly Column[]): TablePrinter {
  return {
    columns: columns.map(({ cell: _cell, ...definition }) => ({
      priority: 0,
      format: '',
      description: '',
      ...definition,
    })),
    cells: (object: Frozen<KubeObject>, now) => columns.map((item) => item.cell(object as Fields, now)),
  };
}

export const nameAndAge = printer([nameColumn, ageColumn]);

/** Formats labels as `a=1,b=2`, or `<none>`. */
export function formatLabels(labels: unknown): string {
  const map = fields(labels);
  const parts = sortedKeys(map).map((key) => `${key}=${text(map[key])}`);
  return parts.length === 0 ? '<none>' : parts.join(',');
}

const operatorForms: Readonly<Record<string, (key: string, values: string) => string>> = {
  In: (key, values) => `${key} in (${values})`,
  NotIn: (key, values) => `${key} notin (${values})`,
  Exists: (key) => key,
  DoesNotExist: (key) => `!${key}`,
};

/** Formats a label selector as kubectl prints it; `<none>` if it is empty. */
export function formatSelector(selector: unknown): string {
  const { matchLabels, matchExpressions } = fields(selector);
  const labels = sortedKeys(matchLabels).map((key) => `${key}=${text(fields(matchLabels)[key])}`);
  const expressions = list(matchExpressions).map((expression) => {
    const values = Array.isArray(expression.values) ? [...(expression.values as string[])].sort().join(',') : '';
    return operatorForms[text(expression.operator)]?.(text(expression.key), values) ?? '';
  });
  const parts = [...labels, ...expressions];
  return parts.length === 0 ? '<none>' : parts.join(',');
}

export const containersColumns: readonly Column[] = [
  wide('Containers', (object) =>
    containersOf(object)
      .map((container) => text(container.name))
      .join(','),
  ),
  wide('Images', (object) =>
    containersOf(object)
      .map((container) => text(container.image))
      .join(','),
  ),
];

function containersOf(object: Fields): readonly Fields[] {
  return list(fields(fields(fields(object.spec).template).spec).containers);
}

export function orNone(value: unknown): string {
  const shown = text(value);
  return shown === '' ? '<none>' : shown;
}
