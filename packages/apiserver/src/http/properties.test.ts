import { fc, test } from '@fast-check/vitest';
import { StatusError } from '@slipway/kube';
import { describe, expect } from 'vitest';
import type { ResourceEndpoint } from '../registry/index.js';
import { listPieces, listValue } from './answer-encoder.js';
import { parseAccept } from './media-type.js';
import { parseRequestInfo } from './request-info.js';
import { answerOf, FakeRegistry } from './test-support.js';
import { Warnings } from './warnings.js';

const registry = new FakeRegistry();
const builtIn = registry.endpoint('', 'v1', 'configmaps') as ResourceEndpoint;
const custom = registry.endpoint('example.com', 'v1', 'widgets') as ResourceEndpoint;

describe('whatever the input', () => {
  test.prop([fc.string(), fc.constantFrom('GET', 'POST', 'DELETE', 'BREW')])(
    'a URL is read or refused with a Status',
    (text, method) => {
      try {
        expect(parseRequestInfo(method, `/api/v1/${text}`).path).toContain('/');
      } catch (error) {
        expect(error).toBeInstanceOf(StatusError);
      }
    },
  );

  test.prop([
    fc.array(
      fc.string({ minLength: 1 }).filter((part) => !part.includes('/')),
      { minLength: 1, maxLength: 1 },
    ),
  ])('encoded names come back as they were', ([name = '']) => {
    const info = parseRequestInfo('GET', `/apis/g/v1/namespaces/n/things/${encodeURIComponent(name)}`);
    expect(info.name).toBe(name);
  });

  test.prop([fc.string()])('an Accept header parses into clauses in order of quality', (header) => {
    const qualities = parseAccept(header).map(({ quality }) => quality);
    expect(qualities).toEqual([...qualities].sort((left, right) => right - left));
  });

  test.prop([fc.array(fc.string({ unit: 'binary' }))])('warnings are printable header values', (texts) => {
    const warnings = new Warnings();
    for (const text of texts) warnings.add(text);
    for (const header of warnings.headers() ?? []) expect(header).toMatch(/^299 - "[\x20-\x7e\x80-\xff]*"$/);
  });

  test.prop([fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.boolean()])(
    'a list assembled from bytes is the list',
    (contents, isCustom) => {
      const endpoint = isCustom ? custom : builtIn;
      const items = contents.map((data, index) =>
        answerOf({
          kind: endpoint.definition.kind,
          apiVersion: isCustom ? 'example.com/v1' : 'v1',
          metadata: { name: `n${index}` },
          data,
        }),
      );
      const list = { items, resourceVersion: '7', continue: '' };
      const text = Buffer.concat(listPieces(endpoint, list)).toString('utf8');
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(listValue(endpoint, list))));
    },
  );
});
