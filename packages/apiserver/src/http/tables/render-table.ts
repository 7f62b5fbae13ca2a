import { badRequest, type Frozen, type KubeObject, stringifyJson } from '@slipway/kube';
import type { Answer, TableColumn, TablePrinter } from '../../contract/index.js';
import { encodeMetadata, type ViewVersion } from './partial-metadata.js';

export type IncludeObject = 'None' | 'Metadata' | 'Object';

export interface TableOptions {
  readonly printer: TablePrinter;
  readonly version: ViewVersion;
  readonly includeObject: IncludeObject;
  readonly now: number;
}

export interface TableMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export function parseIncludeObject(value: string | undefined): IncludeObject {
  if (value === undefined || value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(value)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}

const definitionsCache = new WeakMap<TablePrinter, string>();

function columnDefinitions(printer: TablePrinter): string {
  const cached = definitionsCache.get(printer);
  if (cached !== undefined) return cached;
  const text = JSON.stringify(printer.columns.map(columnDefinition));
  definitionsCache.set(printer, text);
  return text;
}

function columnDefinition(column: TableColumn): object {
  return {
    name: column.name,
    type: column.type,
    format: column.format ?? '',
    description: column.description ?? '',
    priority: column.priority ?? 0,
  };
}

/** A Table as JSON text. `columns: false` omits the column definitions, as in all but the first event of a watch. */
export function renderTable(
  answers: readonly Answer[],
  meta: TableMeta,
  options: TableOptions,
  columns = true,
): string {
  const rows: string[] = [];
  for (const answer of answers) rows.push(renderRow(answer.object, options));
  return table(meta, options, columns, rows.join(','));
}

function renderRow(object: Frozen<KubeObject>, options: TableOptions): string {
  return `{"cells":${stringifyJson(options.printer.cells(object, options.now))},"object":${rowObject(object, options)}}`;
}

function rowObject(object: Frozen<KubeObject>, options: TableOptions): string {
  if (options.includeObject === 'None') return 'null';
  if (options.includeObject === 'Object') return stringifyJson(object);
  return encodeMetadata(object, options.version);
}

/** The bookmark of a table watch: no cells, but the resourceVersion and annotations that clients read. */
export function renderBookmarkTable(bookmark: Frozen<KubeObject>, options: TableOptions, columns: boolean): string {
  const cells = JSON.stringify(options.printer.columns.map(() => null));
  const object = options.includeObject === 'None' ? 'null' : encodeMetadata(bookmark, options.version);
  const meta = { resourceVersion: bookmark.metadata.resourceVersion ?? '' };
  return table(meta, options, columns, `{"cells":${cells},"object":${object}}`);
}

function table(meta: TableMeta, options: TableOptions, columns: boolean, rows: string): string {
  const definitions = columns ? columnDefinitions(options.printer) : 'null';
  const metadata = JSON.stringify({
    resourceVersion: meta.resourceVersion,
    continue: meta.continue === '' ? undefined : meta.continue,
    remainingItemCount: meta.remainingItemCount,
  });
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${options.version}","metadata":${metadata},"columnDefinitions":${definitions},"rows":[${rows}]}`;
}
