import { expect, it } from 'vitest';
import { customColumns, defaultPrinter, type PrinterColumn } from './custom-columns.js';

const now = Date.UTC(2026, 0, 1);
const object = {
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name: 'w', creationTimestamp: '2025-12-31T23:00:00Z' },
};

function cellOf(type: PrinterColumn['type'], results: readonly unknown[]): unknown {
  return customColumns([{ name: 'X', type, jsonPath: '.x' }], () => () => results).cells(object, now)[1];
}

it('No additionalPrinterColumns → Name + Age', () => {
  expect(customColumns([], () => () => [])).toBe(defaultPrinter);
  expect(defaultPrinter.cells(object, now)).toEqual(['w', '60m']);
});

it.each<[PrinterColumn['type'], readonly unknown[], unknown]>([
  ['string', [], null],
  ['string', ['a', 'b'], 'a'],
  ['string', [3], '3'],
  ['string', [true], 'true'],
  ['string', [{ b: 1, a: [2] }], '{"a":[2],"b":1}'],
  ['integer', [3.7], 3],
  ['integer', ['3'], null],
  ['number', [1.5], 1.5],
  ['boolean', [false], false],
  ['boolean', ['false'], null],
  ['date', ['2025-12-31T23:55:00Z'], '5m'],
  ['date', ['later'], '<invalid>'],
  ['date', [5], null],
])('a %s column with %j prints %j', (type, results, expected) => {
  expect(cellOf(type, results)).toEqual(expected);
});

it('a path that fails on an object leaves the cell empty', () => {
  const printer = customColumns([{ name: 'X', type: 'string', jsonPath: '.x' }], () => () => {
    throw new Error('not an array');
  });
  expect(printer.cells(object, now)).toEqual(['w', null]);
});
