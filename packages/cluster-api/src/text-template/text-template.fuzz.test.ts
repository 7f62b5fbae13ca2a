import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderTextTemplate } from './render-text-template.js';
import { TemplateError } from './template-error.js';
import { sizeMax } from './template-values.js';

const pieces = (
  '{{ }} {{- -}} {{if .a}} {{else}} {{end}} {{range .list}} {{with .deep}} {{/* */}} {{. {{$ .a .deep.er .missing $x := ' +
  '| ( ) " ` \' \\ printf %s%v%d index len slice and or not eq lt html js 0x1p-2 1e400 -9223372036854775808'
).split(' ');
const template = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.constant(' '), fc.string({ maxLength: 4 })))
  .map((parts) => parts.join(''));
const data = { a: 1, list: [1, 'two', null], deep: { er: { est: true } }, text: 'x' };

function isRenderedOrRefused(text: string): boolean {
  try {
    return renderTextTemplate(text, data).length <= Math.max(sizeMax, text.length);
  } catch (error) {
    return error instanceof TemplateError;
  }
}

it('renders or fails with an error message, within limits', () => {
  expect(() => fc.assert(fc.property(template, isRenderedOrRefused))).not.toThrow();
});
