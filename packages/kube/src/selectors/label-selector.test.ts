import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../errors/index.js';
import { newLabelRequirement } from './label-requirement.js';
import { LabelSelector } from './label-selector.js';
import { labelSelectorFromObject, type LabelSelectorObject, validateLabelSelector } from './label-selector-object.js';
import { parseLabelSelector } from './parse-label-selector.js';

describe('parseLabelSelector', () => {
  const matching: { selector: string; labels: Record<string, string>; matches: boolean; printed?: string }[] = [
    { selector: '', labels: {}, matches: true },
    { selector: 'a=b', labels: { a: 'b' }, matches: true },
    { selector: 'a == b', labels: { a: 'b' }, matches: true, printed: 'a==b' },
    { selector: 'a=', labels: { a: '' }, matches: true },
    { selector: 'a=', labels: {}, matches: false },
    { selector: 'a!=b', labels: {}, matches: true },
    { selector: 'a!=b', labels: { a: 'b' }, matches: false },
    { selector: 'a in (x, y)', labels: { a: 'y' }, matches: true, printed: 'a in (x,y)' },
    { selector: 'a in (y,x)', labels: {}, matches: false, printed: 'a in (x,y)' },
    { selector: 'a notin (x)', labels: {}, matches: true },
    { selector: 'a notin (x)', labels: { a: 'x' }, matches: false },
    { selector: 'a in ()', labels: { a: '' }, matches: true },
    { selector: 'a in (,x)', labels: { a: '' }, matches: true },
    { selector: 'a in (x,,y)', labels: { a: '' }, matches: true, printed: 'a in (,x,y)' },
    { selector: 'a', labels: { a: '' }, matches: true },
    { selector: '!a', labels: { a: '' }, matches: false },
    { selector: 'in in (in,notin)', labels: { in: 'notin' }, matches: true },
    { selector: 'b,a=1', labels: { a: '1', b: '' }, matches: true, printed: 'a=1,b' },
    { selector: 'a>1,a<3', labels: { a: '2' }, matches: true },
    { selector: 'a>1', labels: { a: 'x' }, matches: false },
    { selector: 'constructor', labels: {}, matches: false },
    { selector: '!toString', labels: {}, matches: true },
    { selector: 'x.y/z=1', labels: { 'x.y/z': '1' }, matches: true },
  ];
  it.each(matching)('evaluates $selector on $labels: $matches', ({ selector, labels, matches, printed }) => {
    const parsed = parseLabelSelector(selector);
    expect(parsed.matches(labels)).toBe(matches);
    expect(parsed.toString()).toBe(printed ?? parsed.toString());
    expect(parseLabelSelector(parsed.toString()).toString()).toBe(parsed.toString());
  });

  const failures = [
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=b c', "found 'c', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a in x', "unable to parse requirement: found 'x' expected: '('"],
    ['a in (x', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ['a in (x,=)', "unable to parse requirement: found '=', expected: ',', or identifier"],
    ['a=(', "unable to parse requirement: found '(', expected: identifier"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    [
      'a>x',
      `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
  ] as const;
  it.each(failures)('rejects %j', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(expect.objectContaining({ name: 'SelectorError', message }));
  });

  it('reports the invalid key or value like upstream', () => {
    expect(() => parseLabelSelector('-a')).toThrow(
      'unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of',
    );
    expect(() => parseLabelSelector('a=-')).toThrow(
      'unable to parse requirement: values[0][a]: Invalid value: "-": a valid label must be',
    );
  });

  it('round-trips any selector', () => {
    const word = fc.stringMatching(/^[a-z0-9]([-a-z0-9_.]{0,5}[a-z0-9])?$/);
    const requirement = fc.oneof(
      fc
        .tuple(word, fc.constantFrom('=', '==', '!=', 'in', 'notin'), word)
        .map(([k, o, v]) => newLabelRequirement(k, o as '=', [v])),
      fc
        .tuple(word, fc.constantFrom('in', 'notin'), fc.uniqueArray(word, { minLength: 1, maxLength: 3 }))
        .map(([k, o, v]) => newLabelRequirement(k, o as 'in', v.sort())),
      fc.tuple(word, fc.constantFrom('exists', '!')).map(([k, o]) => newLabelRequirement(k, o as '!', [])),
    );
    fc.assert(
      fc.property(fc.array(requirement), (requirements) => {
        const selector = new LabelSelector(requirements);
        expect(parseLabelSelector(selector.toString()).requirements).toEqual(selector.requirements);
      }),
    );
  });

  it('parses hostile selectors in linear time', () => {
    for (const text of ['('.repeat(500_000), 'a,'.repeat(200_000), ' '.repeat(500_000), 'a in (' + ','.repeat(500_000)])
      expect(() => parseLabelSelector(`${text}!`)).toThrow(/expected/);
  });
});

describe('labelSelectorFromObject', () => {
  it('matches nothing without a selector and everything with an empty one', () => {
    expect(labelSelectorFromObject(undefined).matches({})).toBe(false);
    expect(labelSelectorFromObject({}).matches({ a: 'b' })).toBe(true);
  });

  const object: LabelSelectorObject = {
    matchLabels: { a: 'b' },
    matchExpressions: [
      { key: 'c', operator: 'In', values: ['d'] },
      { key: 'e', operator: 'NotIn', values: ['f'] },
      { key: 'g', operator: 'Exists' },
      { key: 'h', operator: 'DoesNotExist' },
    ],
  };
  it('combines matchLabels and matchExpressions', () => {
    const selector = labelSelectorFromObject(object);
    expect(selector.toString()).toBe('a=b,c in (d),e notin (f),g,!h');
    expect(selector.matches({ a: 'b', c: 'd', g: '' })).toBe(true);
    expect(selector.matches({ a: 'b', c: 'd' })).toBe(false);
    expect(selector.exactValue('c')).toBe('d');
    expect(selector.exactValue('e')).toBeUndefined();
    expect(validateLabelSelector(object, 'spec.selector')).toEqual([]);
  });

  it('rejects invalid operators and values', () => {
    expect(() => labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Near' }] })).toThrow(
      '"Near" is not a valid label selector operator',
    );
    const bad = validateLabelSelector(
      {
        matchExpressions: [
          { key: 'a', operator: 'In' },
          { key: 'a', operator: 'Exists', values: ['x'] },
          { key: 'a', operator: 'Near' },
        ],
      },
      'spec.selector',
    );
    expect(bad.map(formatFieldError)).toEqual([
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Near": not a valid selector operator',
    ]);
  });
});
