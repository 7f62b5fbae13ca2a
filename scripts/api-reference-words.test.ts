import {
  enumeration,
  int32,
  list,
  map,
  mapList,
  object,
  quantity,
  refine,
  string,
  atomicList,
} from '@slipway/kube/kit';
import { describe, expect, it } from 'vitest';
import { cellText, code, constraintSentences, typeText } from './api-reference-words.js';

describe('text of the API reference', () => {
  it('names the type of a field with its items and values', () => {
    const types = [string(), int32(), quantity(), list(string()), map(quantity()), list(list(object({})))];
    expect(types.map(({ schema }) => typeText(schema))).toEqual([
      'string',
      'int32',
      'quantity',
      'list of strings',
      'map of quantities',
      'list of lists of objects',
    ]);
  });

  it('states the constraints of a field and of its items', () => {
    const ports = list(int32({ minimum: 1, maximum: 65535 }), { minItems: 1, maxItems: 4 });
    expect(constraintSentences(ports.schema)).toEqual(['1 to 4 items.', 'Items: 1 to 65535.']);
    expect(constraintSentences(map(string({ maxLength: 1 })).schema)).toEqual(['Values: at most 1 character.']);
    expect(constraintSentences(enumeration(['', 'a']).schema)).toEqual(['One of: `""`, `a`.']);
    expect(constraintSentences(string({ pattern: '^a|b$' }).schema)).toEqual(['Pattern: `^a\\|b$`.']);
    expect(constraintSentences(quantity().schema)).toEqual([]);
  });

  it('states how server-side apply merges a list', () => {
    expect(constraintSentences(mapList(object({ name: string() }), ['name']).schema)).toEqual([
      'Items are identified by `name`.',
    ]);
    expect(constraintSentences(atomicList(string()).schema)).toEqual(['Server-side apply replaces it as a whole.']);
  });

  it('shows the message of a rule, or its CEL expression if it has no message', () => {
    const rules = [{ rule: 'self.a', message: 'a is required.' }, { rule: 'self.b' }];
    expect(constraintSentences(refine(object({}), { rules }).schema)).toEqual([
      'Rule: a is required.',
      'Rule: `self.b`.',
    ]);
  });

  it('escapes Markdown and HTML except in code spans', () => {
    expect(cellText('<a> | b* `c*|d`')).toBe('&lt;a> \\| b\\* `c*\\|d`');
    expect(code('a`b')).toBe('``a`b``');
  });
});
