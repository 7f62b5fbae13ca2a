import { type KubeObject, stringifyYaml } from '@slipway/kube';
import { imageMark, namespaceMark } from './chart-parts.js';

/** Name that sorts last: the key of a field that a block of template text replaces, or a list item. */
export function block(name: string): string {
  return `zz@@${name}`;
}

/** Placeholder for the indentation of the fields below the one that a block replaces. */
const indentMark = '@indent@';

/** Blocks of template text by name. Each line is indented like the field that it replaces. */
export type Blocks = Readonly<Record<string, readonly string[]>>;

/** Returns an object as template text: static text is escaped, marks become template expressions. */
export function templateText(object: KubeObject | object, blocks: Blocks = {}): string {
  return escaped(stringifyYaml(object))
    .replaceAll(namespaceMark, '{{ $namespace }}')
    .replaceAll(imageMark, '{{ include "slipway.image" (list $ $part) }}')
    .replace(/^( *)(?:- )?zz@@(\w+)(?:: .*)?$/gm, (_, indent: string, name: string) => {
      const lines = blocks[name];
      if (lines === undefined) throw new Error(`template block ${name} is not defined`);
      return lines
        .map((line) => (line.startsWith('{{-') ? line : `${indent}${line}`))
        .join('\n')
        .replaceAll(indentMark, String(indent.length + 2));
    });
}

/** Returns text in which Helm finds no template expressions. */
function escaped(text: string): string {
  return text.replaceAll(/\{\{|\}\}/g, (braces) => `{{ "${braces}" }}`);
}

/** Returns a field that is written only if the expression has a value: a map or a list as YAML below the key. */
export function optionalField(key: string, expression: string): string[] {
  return [`{{- with ${expression} }}`, `${key}:`, `{{- toYaml . | nindent ${indentMark} }}`, '{{- end }}'];
}

/** Returns an optional field with a string. */
export function optionalText(key: string, expression: string): string[] {
  return [`{{- with ${expression} }}`, `${key}: {{ . | quote }}`, '{{- end }}'];
}

/** Returns an optional argument as list item. `%v` in the format is replaced with the value. */
export function optionalArgument(format: string, expression: string): string[] {
  return [`{{- with ${expression} }}`, `- {{ printf ${JSON.stringify(format)} . | quote }}`, '{{- end }}'];
}
