import { quoteGo } from '@slipway/kube';

/** Writes fragments of YAML for cloud-init (PyYAML, YAML 1.1), byte for byte like Cluster API. */

// Matches plain scalars: text that starts no structure, comment or mapping, and has no line breaks or control characters.
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
 * Returns a scalar that YAML reads back as the same string: plain if possible, otherwise quoted like Go's `%q`, whose escapes all
 * have the same meaning in YAML.
 */
export function scalar(text: string): string {
  return isBare(text) && !otherTypes.some((type) => type.test(text)) ? text : quoteGo(text);
}

/**
 * Returns a scalar for typed values of cloud-init, such as partition numbers: plain whenever YAML reads a single value from it.
 */
export function typedScalar(text: string): string {
  return isBare(text) ? text : quoteGo(text);
}

function isBare(text: string): boolean {
  if (text === '' || text.length > plainLengthMax || unprintable.test(text) || text.endsWith(':')) return false;
  // Document markers are special only at the start of a line, but are quoted everywhere.
  return plainForm.test(text) && !text.startsWith('---') && !text.startsWith('...');
}

/** Replaces a lone surrogate, which cannot be encoded, with the replacement character. */
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

// Matches characters that a literal block cannot hold: they are invalid in YAML, or a line break only for some parsers.
const notLiteral = /(?![\t\n])[\p{Cc}\u2028\u2029\ufeff\ufffe\uffff]/u;

/**
 * Returns the value of `content:` as a literal block, or as quoted text if a block cannot hold it. `margin` is the column of the
 * key.
 */
export function block(text: string, margin: number): string {
  const whole = wellFormed(text);
  // Quote text whose last line consists of spaces: parsers disagree about it.
  if (notLiteral.test(whole) || /(?:^|\n)[ \t]+\n*$/.test(whole)) return quoteGo(whole);
  // Parsers take the indentation from the first non-empty line. If that starts with a space, the indentation must be explicit.
  const indicator = /^\n* /.test(whole) ? '2' : '';
  return `|${indicator}\n${indent(whole, margin + 2)}`;
}
