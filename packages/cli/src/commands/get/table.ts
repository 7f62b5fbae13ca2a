import stringWidth from 'string-width';

/** A `meta.k8s.io/v1` Table. */
export interface ServerTable {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly columnDefinitions: readonly { readonly name: string; readonly priority?: number }[];
  readonly rows?: readonly {
    readonly cells: readonly unknown[];
    readonly object?: { readonly metadata?: { readonly namespace?: string; readonly name?: string } };
  }[];
}

export interface TableOptions {
  /** Whether to print columns with a priority above 0, too. */
  readonly wide: boolean;
  readonly withNamespace: boolean;
  /** Prefix of each name when several types are listed: `machine.cluster.x-k8s.io/`. */
  readonly namePrefix?: string;
  readonly withHeadings?: boolean;
}

const gap = 3;

/** Formats a Table as kubectl does. Without rows the text is empty. */
export function tableText({ columnDefinitions, rows = [] }: ServerTable, options: TableOptions): string {
  if (rows.length === 0) return '';
  const shown = columnDefinitions.flatMap(({ priority = 0 }, index) => (priority === 0 || options.wide ? [index] : []));
  const headings = shown.map((index) => (columnDefinitions[index]?.name ?? '').toUpperCase());
  const body = rows.map(({ cells, object }) => [
    ...(options.withNamespace ? [object?.metadata?.namespace ?? ''] : []),
    ...shown.map((index) => (index === 0 ? (options.namePrefix ?? '') : '') + cellText(cells[index])),
  ]);
  const head = [...(options.withNamespace ? ['NAMESPACE'] : []), ...headings];
  const lines = options.withHeadings === false ? body : [head, ...body];
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((line) => stringWidth(line[column] ?? ''))));
  return lines.map((line) => `${lineText(line, widths)}\n`).join('');
}

function lineText(line: readonly string[], widths: readonly number[]): string {
  const padded = line.map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell) + gap));
  return padded.join('').trimEnd();
}

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  // A cell is one line: only the first line of a longer text is shown.
  return text.replace(/\n[^]*$/, '...');
}
