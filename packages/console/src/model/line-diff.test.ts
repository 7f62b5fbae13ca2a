import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.js';

const shown = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

describe('diffLines', () => {
  it('returns added, removed and unchanged lines', () => {
    expect(shown('a\nb\nc\nd', 'a\nx\nc\nd\ne')).toEqual([' a', '-b', '+x', ' c', ' d', '+e']);
  });

  it('returns all lines of both texts in order', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const side = (other: string): string =>
          lines
            .filter(({ kind }) => kind !== other)
            .map((line) => line.text)
            .join('\n');
        expect([side('added'), side('removed')]).toEqual([before, after]);
      }),
    );
  });
});
