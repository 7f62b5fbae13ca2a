import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderTextTemplate } from './render-text-template.js';
import { TemplateError } from './template-error.js';
import { sizeMax } from './template-values.js';

const pieces = [
  ...[
    '{{',
    '}}',
    '{{-',
    '-}}',
    '{{ if .a }}',
    '{{ else }}',
    '{{ end }}',
    '{{ range .list }}',
    '{{ with .deep }}',
    '{{/*',
    '*/}}',
  ],
  ...[
    '.a',
    '.deep.er',
    '.missing',
    '$x',
    '$x :=',
    '|',
    '(',
    ')',
    '"',
    '`',
    "'",
    '\\',
    '{{ .',
    '{{ $',
    '{{ template "x" }}',
  ],
  ...[
    'printf "%s%v%d"',
    'index',
    'len',
    'slice',
    'and',
    'or',
    'not',
    'eq',
    'lt',
    'html',
    'js',
    '0x1p-2',
    '1e400',
    '-9223372036854775808',
  ],
] as const;
const template = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.constant(' '), fc.string({ maxLength: 4 })))
  .map((parts) => parts.join(''));
const data = { a: 1, list: [1, 'two', null], deep: { er: { est: true } }, text: 'x' };

it('renders or refuses in words, and never without bounds', () => {
  fc.assert(
    fc.property(template, (text) => {
      try {
        expect(renderTextTemplate(text, data).length).toBeLessThanOrEqual(Math.max(sizeMax, text.length));
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    }),
  );
});
