import { describe, expect, it } from 'vitest';
import { Failure } from '../values/index.js';
import { parseRequestUri } from './go-url.js';

describe('parseRequestUri', () => {
  it.each([
    ['http://::', 'invalid port "::" after host'],
    ['http://a:b:80', 'invalid port ":b:80" after host'],
    ['http://a:1:80', 'invalid port ":1:80" after host'],
    ['http://[::1]x:80', 'invalid port "x:80" after host'],
    ['http://a[b]', 'invalid IP-literal'],
    ['http://[a]', 'invalid host: ParseAddr("a"): unable to parse IP'],
    ['http://[1.2.3.4]', 'invalid IP-literal'],
    ['http://[::1', "missing ']' in host"],
  ])('parses the host %s: %s', (text, problem) => {
    expect(parseRequestUri(text)).toEqual(new Failure(`parse ${JSON.stringify(text)}: ${problem}`));
  });

  it.each(['http://[fe80::1%25en0]/', 'http://[::1]:80/', 'http://a:', 'http:///x'])('accepts the URL %s', (text) => {
    expect(parseRequestUri(text)).not.toBeInstanceOf(Failure);
  });
});
