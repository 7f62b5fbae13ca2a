import { TemplateError } from './template-error.js';

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly text: string };

const spaces = /[ \t\r\n]/;

/** Splits a template into text and actions, without the white space that `{{-` and `-}}` trim. */
export function splitTemplate(template: string): Piece[] {
  const pieces: Piece[] = [];
  let rest = 0;
  let trimNext = false;
  while (rest < template.length) {
    const open = template.indexOf('{{', rest);
    const before = template.slice(rest, open === -1 ? undefined : open);
    const trimHere = open !== -1 && template[open + 2] === '-' && spaces.test(template[open + 3] ?? '');
    pieces.push({ kind: 'text', text: trimmed(before, trimNext, trimHere) });
    if (open === -1) break;
    const close = closingOf(template, open + 2);
    const inside = template.slice(open + (trimHere ? 3 : 2), close);
    trimNext = inside.endsWith('-') && spaces.test(inside.at(-2) ?? '');
    pieces.push({ kind: 'action', text: (trimNext ? inside.slice(0, -1) : inside).trim() });
    rest = close + 2;
  }
  return pieces;
}

function trimmed(text: string, start: boolean, end: boolean): string {
  const left = start ? text.replace(/^[ \t\r\n]+/, '') : text;
  return end ? left.trimEnd() : left;
}

/** Finds the `}}` that ends an action, outside quotes and comments. */
function closingOf(template: string, from: number): number {
  const comment = /^(?:-\s)?\/\*/.exec(template.slice(from, from + 5));
  if (comment !== null) {
    const end = template.indexOf('*/', from);
    const close = end === -1 ? -1 : template.indexOf('}}', end);
    if (close === -1) throw new TemplateError('unclosed comment');
    return close;
  }
  let quote = '';
  for (let at = from; at < template.length; at += 1) {
    const character = template[at] ?? '';
    if (quote !== '') {
      if (character === '\\' && quote !== '`') at += 1;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === '`' || character === "'") quote = character;
    else if (character === '}' && template[at + 1] === '}') return at;
  }
  throw new TemplateError('unclosed action');
}
