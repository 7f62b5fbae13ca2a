export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/**
 * Limits the size of the comparison table. Longer texts are not compared line by line: the differing part is shown as one block.
 */
const cellsMax = 4_000_000;

/** Compares two texts line by line, and returns the common, removed and added lines in one list. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return [
    ...left.slice(0, start).map(same),
    ...middle(left.slice(start, left.length - end), right.slice(start, right.length - end)),
    ...left.slice(left.length - end).map(same),
  ];
}

function same(text: string): DiffLine {
  return { kind: 'same', text };
}

/** Compares the differing part by the longest common subsequence. */
function middle(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (left.length * right.length > cellsMax) return [...left.map(removed), ...right.map(added)];
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = left.length - 1; row >= 0; row -= 1) {
    const cells = lengths[row];
    for (let column = right.length - 1; column >= 0 && cells !== undefined; column -= 1)
      cells[column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < left.length && column < right.length) {
    const [old, fresh] = [left[row] ?? '', right[column] ?? ''];
    if (old === fresh) {
      lines.push(same(old));
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push(removed(old));
      row += 1;
    } else {
      lines.push(added(fresh));
      column += 1;
    }
  }
  return [...lines, ...left.slice(row).map(removed), ...right.slice(column).map(added)];
}
