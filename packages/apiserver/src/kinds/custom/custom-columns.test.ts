import { expect, it } from 'vitest';
import { customColumns, defaultPrinter, type PrinterColumn } from './custom-columns.js';

const now = Date.UTC(2026, 0, 1);
const object = {
  kind: 'Widget',
  apiVersion: 'example.com/v1',
  metadata: { name: 'w', creationTimestamp: '2025-12-31T23:00:00Z' },
};

function cellOf(type: PrinterColumn['type'], x: unknown): unknown {
  return customColumns([{ name: 'X', type, jsonPath: '.x' }]).cells({ ...object, x }, now)[1];
}

it('prints Name and Age without additionalPrinterColumns', () => {
  expect(customColumns([])).toBe(defaultPrinter);
  expect(defaultPrinter.cells(object, now)).toEqual(['w', '60m']);
});

it.each<[PrinterColumn['type'], unknown, unknown]>([
  ['string', undefined, null],
  ['string', 'a', 'a'],
  ['string', 3, '3'],
  ['string', true, 'true'],
  ['string', { b: 1, a: [2] }, '{"a":[2],"b":1}'],
  ['integer', 3.7, 3],
  ['integer', '3', null],
  ['number', 1.5, 1.5],
  ['boolean', false, false],
  ['boolean', 'false', null],
  ['date', '2025-12-31T23:55:00Z', '5m'],
  ['date', 'later', '<invalid>'],
  ['date', 5, null],
])('prints a %s column with %j as %j', (type, value, expected) => {
  expect(cellOf(type, value)).toEqual(expected);
});

it('prints only the first of several results, as for `.status.conditions[?(@.type=="Ready")].status`', () => {
  const conditions = [
    { type: 'Other', status: 'False' },
    { type: 'Ready', status: 'True' },
  ];
  const printer = customColumns([
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'All', type: 'string', jsonPath: '.status.conditions[*].type' },
    { name: 'Through', type: 'string', jsonPath: '.status.conditions.type' },
  ]);
  expect(printer.cells({ ...object, status: { conditions } }, now)).toEqual(['w', 'True', 'Other', null]);
});
