import { describe, expect, it } from 'vitest';
import { findingsIn, scannedFiles, textsOf } from './language.js';

const root = new URL('..', import.meta.url).pathname;

describe('wording of the project', () => {
  it('contains no banned word or pattern in messages, comments, test titles and pages', () => {
    const findings = scannedFiles(root).flatMap((path) => findingsIn(textsOf(root, path)));
    const lines = findings.map(({ path, line, text, instead }) => {
      const excerpt = text.trim().replaceAll(/\s+/g, ' ').slice(0, 120);
      return `${path}:${line}: ${excerpt} (instead: ${instead})`;
    });
    expect(lines).toEqual([]);
  });
});
