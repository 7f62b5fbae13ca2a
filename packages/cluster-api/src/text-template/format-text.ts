import { TemplateError } from './template-error.js';
import { floatOf, integerOf, printed, sizeMax } from './template-values.js';

const verbForm = /%(?<flags>[-+ 0#]*)(?<width>\d{1,4})?(?:\.(?<precision>\d{1,3}))?(?<verb>[a-zA-Z%])/g;

/** Implements the subset of Go's Sprintf that templates use. */
export function formatted([form, ...operands]: readonly unknown[]): string {
  if (typeof form !== 'string') throw new TemplateError('error calling printf: the first argument must be a string');
  let next = 0;
  const text = form.replace(verbForm, (whole, ...matched: unknown[]) => {
    const groups = matched.at(-1) as Readonly<Partial<Record<'flags' | 'width' | 'precision' | 'verb', string>>>;
    const verb = groups.verb ?? '';
    if (verb === '%') return '%';
    if (next >= operands.length) return `%!${verb}(MISSING)`;
    const operand = operands[next];
    next += 1;
    return padded(verbText(whole, verb, operand, groups.precision), groups.flags ?? '', Number(groups.width ?? 0));
  });
  if (text.length > sizeMax) throw new TemplateError('error calling printf: the result is too large');
  return text;
}

function verbText(whole: string, verb: string, operand: unknown, precision: string | undefined): string {
  const digits = precision === undefined ? undefined : Number(precision);
  switch (verb) {
    case 's':
    case 'v':
      return digits === undefined ? printed(operand, '<nil>') : printed(operand, '<nil>').slice(0, digits);
    case 'q':
      return JSON.stringify(printed(operand, '<nil>'));
    case 'd':
      return typeof operand === 'bigint' ? operand.toString() : `%!d(${printed(operand, '<nil>')})`;
    case 't':
      return String(operand === true);
    case 'f':
      return floatOf(operand).toFixed(digits ?? 6);
    case 'x':
    case 'X': {
      const hex = typeof operand === 'string' ? Buffer.from(operand).toString('hex') : integerOf(operand).toString(16);
      return verb === 'X' ? hex.toUpperCase() : hex;
    }
    default:
      throw new TemplateError(`error calling printf: ${whole} is not supported`);
  }
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  if (!flags.includes('0')) return text.padStart(width);
  return text.startsWith('-') ? `-${text.slice(1).padStart(width - 1, '0')}` : text.padStart(width, '0');
}
