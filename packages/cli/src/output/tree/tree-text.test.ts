import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { colourStyle, plainStyle } from '../style.js';
import { sampleNowMs, sampleTree } from './testdata/sample-tree.js';
import { treeText } from './tree-text.js';

const styles = { plain: plainStyle, coloured: colourStyle } as const;

describe.each(['plain', 'coloured'] as const)('the text of a %s tree', (name) => {
  // The golden files are reviewed like code.
  it.each([80, 140, 220])('fits a terminal of %d columns', async (width) => {
    const text = treeText(sampleTree, { nowMs: sampleNowMs, style: styles[name], width });
    await expect(text).toMatchFileSnapshot(`testdata/tree-${width}-${name}.txt`);
    for (const line of text.split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });
});

it('equals the output of clusterctl without a terminal', async () => {
  await expect(treeText(sampleTree, { nowMs: sampleNowMs })).toMatchFileSnapshot('testdata/tree-piped.txt');
});

it('keeps every word when lines are wrapped', () => {
  const wide = treeText(sampleTree, { nowMs: sampleNowMs });
  const narrow = treeText(sampleTree, { nowMs: sampleNowMs, width: 80 });
  const words = (text: string): Set<string> => new Set(text.match(/[A-Za-z]{6,}/g));
  const lost = [...words(wide)].filter((word) => !words(narrow).has(word));
  // Only headings of columns that a narrow tree omits are lost, and reasons that only repeat their status.
  expect(lost.toSorted()).toEqual(['AVAILABLE', 'MESSAGE', 'NotScalingUp', 'REASON', 'REPLICAS']);
});
