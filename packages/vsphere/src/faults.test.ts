import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

it('the documentation names an existing test for each fault', () => {
  const [, table = ''] = read('docs/reference/vsphere.md').split('<!-- faults -->\n');
  const rows = [...(table.split('\n\n', 1)[0] ?? '').matchAll(/^\| [^|]*\| `([^`]+)` \| ([^|]+) \|$/gm)];
  expect(rows.length).toBeGreaterThanOrEqual(15);
  const missing = rows.filter(([, file = '', title = '']) => !read(file).includes(`'${title}'`));
  expect(missing.map(([row]) => row)).toEqual([]);
});
