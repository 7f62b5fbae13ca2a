/**
 * Returns the width of the output in columns, or `otherwise` if it is unknown: the output is not a terminal, or the terminal
 * reports no size, as in some CI systems.
 */
export function terminalWidth<T extends number | undefined>(
  { columns }: { readonly columns?: number | undefined },
  otherwise: T,
): number | T {
  return columns === undefined || columns === 0 ? otherwise : columns;
}
