import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { quickStartObjects } from './quick-start-objects.js';

it('is the cluster that the documentation shows', () => {
  const text = readFileSync(new URL('../../../../../docs/samples/quick-start.yaml', import.meta.url), 'utf8');
  expect(quickStartObjects('quick-start')).toEqual(
    parseAllDocuments(text).map((document) => document.toJS() as unknown),
  );
});
