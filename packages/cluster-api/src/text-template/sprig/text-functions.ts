import { bounded, integerOf, printed, type TemplateFunction, textOf } from '../template-values.js';

type Entry = readonly [string, TemplateFunction];

/** Defines a function whose last argument is the text. */
function onText(name: string, change: (text: string, operands: readonly unknown[]) => unknown): Entry {
  return [
    name,
    (operands) => {
      const text = textOf(name, operands.at(-1));
      const result = change(text, operands.slice(0, -1));
      if (typeof result === 'string') bounded(name, result.length);
      return result;
    },
  ];
}

const words = (text: string): string[] =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const trimSet = (name: string, characters: unknown): string =>
  textOf(name, characters).replace(/[\\\]^-]/g, (found) => `\\${found}`);

function substring(text: string, start: number, end: number): string {
  if (start < 0) return text.slice(0, Math.max(end, 0));
  return end < 0 || end > text.length ? text.slice(start) : text.slice(start, end);
}

function truncated(text: string, length: number): string {
  if (length < 0) return text.length + length > 0 ? text.slice(length) : text;
  return text.slice(0, length);
}

function indented(text: string, count: unknown): string {
  const width = Number(integerOf(count));
  bounded('indent', width * (text.split('\n').length + 1));
  const pad = ' '.repeat(Math.max(width, 0));
  return pad + text.replaceAll('\n', `\n${pad}`);
}

function repeated(text: string, count: unknown): string {
  const times = Math.max(Number(integerOf(count)), 0);
  bounded('repeat', text.length * times);
  return text.repeat(times);
}

function abbreviated(text: string, width: number): string {
  return width < 4 || text.length <= width ? text : `${text.slice(0, width - 3)}...`;
}

function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].join('\n');
}

function swapped(text: string): string {
  return text.replace(/./gsu, (found) => (found === found.toUpperCase() ? found.toLowerCase() : found.toUpperCase()));
}

export const textFunctions: readonly Entry[] = [
  onText('trim', (text) => text.trim()),
  onText('trimAll', (text, [set]) => {
    const characters = trimSet('trimAll', set);
    return text.replace(new RegExp(`^[${characters}]+|[${characters}]+$`, 'g'), '');
  }),
  onText('trimSuffix', (text, [suffix]) => {
    const end = textOf('trimSuffix', suffix);
    return end !== '' && text.endsWith(end) ? text.slice(0, -end.length) : text;
  }),
  onText('trimPrefix', (text, [prefix]) => {
    const start = textOf('trimPrefix', prefix);
    return text.startsWith(start) ? text.slice(start.length) : text;
  }),
  onText('upper', (text) => text.toUpperCase()),
  onText('lower', (text) => text.toLowerCase()),
  onText('title', (text) => text.replace(/(^|\s)\S/g, (found) => found.toUpperCase())),
  onText('untitle', (text) => text.replace(/(^|\s)\S/g, (found) => found.toLowerCase())),
  onText('repeat', (text, [count]) => repeated(text, count)),
  onText('substr', (text, [start, end]) => substring(text, Number(integerOf(start)), Number(integerOf(end)))),
  onText('trunc', (text, [length]) => truncated(text, Number(integerOf(length)))),
  onText('nospace', (text) => text.replace(/\s/g, '')),
  onText('initials', (text) =>
    text
      .split(/\s+/)
      .map((word) => word.charAt(0))
      .join(''),
  ),
  onText('abbrev', (text, [width]) => abbreviated(text, Number(integerOf(width)))),
  onText('contains', (text, [part]) => text.includes(textOf('contains', part))),
  onText('hasPrefix', (text, [start]) => text.startsWith(textOf('hasPrefix', start))),
  onText('hasSuffix', (text, [end]) => text.endsWith(textOf('hasSuffix', end))),
  onText('indent', (text, [count]) => indented(text, count)),
  onText('nindent', (text, [count]) => `\n${indented(text, count)}`),
  onText('replace', (text, [from, to]) => text.replaceAll(textOf('replace', from), () => textOf('replace', to))),
  onText('snakecase', (text) => words(text).join('_').toLowerCase()),
  onText('kebabcase', (text) => words(text).join('-').toLowerCase()),
  onText('camelcase', (text) => words(text).map(capital).join('')),
  onText('swapcase', swapped),
  onText('wrap', (text, [width]) => wrapped(text, Number(integerOf(width)))),
  ['plural', ([one, many, count]) => (integerOf(count) === 1n ? one : many)],
  ['toString', ([value]) => printed(value, '')],
  ['quote', (operands) => joinedBy(operands, (text) => JSON.stringify(text))],
  ['squote', (operands) => joinedBy(operands, (text) => `'${text}'`)],
  ['cat', (operands) => joinedBy(operands, (text) => text)],
];

function joinedBy(operands: readonly unknown[], form: (text: string) => string): string {
  return operands
    .filter((operand) => operand !== undefined && operand !== null)
    .map((operand) => form(printed(operand)))
    .join(' ');
}
