import { StatusError } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResourceEndpoint } from '../contract/index.js';
import { listPieces, listValue } from './answer-encoder.js';
import { parseAccept } from './media-type.js';
import { parseRequestInfo } from './request-info.js';
import { answerOf, FakeRegistry } from './test-support.js';
import { Warnings } from './warnings.js';

const registry = new FakeRegistry();
const builtIn = registry.endpoint('', 'v1', 'configmaps') as ResourceEndpoint;
const custom = registry.endpoint('example.com', 'v1', 'widgets') as ResourceEndpoint;

/** Whether the URL is parsed or rejected with a Status. */
function isAnswered(method: string, url: string): boolean {
  try {
    return parseRequestInfo(method, url).path.startsWith('/');
  } catch (error) {
    return error instanceof StatusError;
  }
}

describe('HTTP parsing of arbitrary input', () => {
  it('parses a URL or rejects it with a Status', () => {
    const methods = fc.constantFrom('GET', 'POST', 'DELETE', 'BREW');
    fc.assert(fc.property(methods, fc.string(), (method, text) => isAnswered(method, `/api/v1/${text}`)));
    expect(isAnswered('GET', '')).toBe(true);
  });

  it('decodes encoded names to the original', () => {
    const names = fc.string({ minLength: 1 }).filter((name) => !name.includes('/'));
    fc.assert(
      fc.property(names, (name) => {
        expect(parseRequestInfo('GET', `/apis/g/v1/namespaces/n/things/${encodeURIComponent(name)}`).name).toBe(name);
      }),
    );
  });

  it('parses an Accept header into clauses in order of quality', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const qualities = parseAccept(header).map(({ quality }) => quality);
        expect(qualities).toEqual([...qualities].sort((left, right) => right - left));
      }),
    );
  });

  it('formats warnings as printable header values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
        const warnings = new Warnings();
        for (const text of texts) warnings.add(text);
        for (const header of warnings.headers() ?? []) expect(header).toMatch(/^299 - "[\x20-\x7e\x80-\xff]*"$/);
      }),
    );
  });

  it('assembles a list from bytes that equals the list', () => {
    const contents = fc.array(fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(contents, fc.boolean(), (all, isCustom) => {
        const endpoint = isCustom ? custom : builtIn;
        const apiVersion = isCustom ? 'example.com/v1' : 'v1';
        const items = all.map((data, index) =>
          answerOf({ kind: endpoint.definition.kind, apiVersion, metadata: { name: `n${index}` }, data }),
        );
        const list = { items, resourceVersion: '7', continue: '' };
        const text = Buffer.concat(listPieces(endpoint, list)).toString('utf8');
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(listValue(endpoint, list))));
      }),
    );
  });
});
