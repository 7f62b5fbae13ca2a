import { quoteGo } from '@slipway/kube';

/** Pieces of YAML as cloud-init reads it (PyYAML, YAML 1.1), in the very form that Cluster API has always written. */

// What may stand unquoted: nothing that begins a structure, a comment or a mapping, no line breaks, no control characters.
const plainForm = /^(?:[^\s\-?:,[\]{}#&*!|>'"%@`]|[-?:](?=[^\s]))(?:[^\s:#]|:(?=\S)|(?<=\S)#| (?=[^\s#]))*$/u;
const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
const otherTypes = [
  /^(?:~|null|Null|NULL|yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF|y|Y|n|N|=|<<)$/,
  /^[-+]?(?:0b[01_]+|0[0-7_]+|0x[0-9a-fA-F_]+|[0-9][0-9_]*(?::[0-5]?[0-9])*)$/,
  /^[-+]?(?:[0-9][0-9_]*)?\.[0-9_]*(?:[eE][-+]?[0-9]+)?$/,
  /^[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?[eE][-+]?[0-9]+$/,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*$/,
  /^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:$|[Tt \t])/,
];
const plainLengthMax = 4096;

/**
 * A text that YAML reads back as this very text: bare where that is so, otherwise in the double quotes of Go's `%q`, whose
 * escapes all mean the same in YAML.
 */
export function scalar(text: string): string {
  return isBare(text) && !otherTypes.some((type) => type.test(text)) ? text : quoteGo(text);
}

/** For values that cloud-init takes typed, such as partition numbers: bare whenever YAML can read one value from it. */
export function typedScalar(text: string): string {
  return isBare(text) ? text : quoteGo(text);
}

function isBare(text: string): boolean {
  if (text === '' || text.length > plainLengthMax || unprintable.test(text) || text.endsWith(':')) return false;
  // Document markers count only at the start of a line, but a reader of the line need not know that.
  return plainForm.test(text) && !text.startsWith('---') && !text.startsWith('...');
}

/** Half of a surrogate pair, which no encoding has, becomes the replacement character here rather than in a reader. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

export function singleQuote(text: string): string {
  return /[\p{Cc}\u2028\u2029\ufeff]/u.test(text) ? quoteGo(text) : `'${text.replaceAll("'", "''")}'`;
}

function indent(text: string, columns: number): string {
  const margin = ' '.repeat(columns);
  return margin + text.replaceAll('\n', `\n${margin}`);
}

// A literal block keeps every character but these: they are no YAML, or a line break to some readers only.
const notLiteral = /(?![\t\n])[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/u;

/**
 * The value of `content:` as a literal block; `margin` is the column of the key. Text that a block cannot hold is quoted
 * instead.
 */
export function block(text: string, margin: number): string {
  const whole = wellFormed(text);
  // Readers disagree about a last line that is nothing but spaces.
  if (notLiteral.test(whole) || /(?:^|\n)[ \t]+\n*$/.test(whole)) return quoteGo(whole);
  // A reader guesses the margin from the first line that is not empty, which must not begin with a space of its own.
  const indicator = /^\n* /.test(whole) ? '2' : '';
  return `|${indicator}\n${indent(whole, margin + 2)}`;
}
