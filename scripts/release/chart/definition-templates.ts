import type { KubeObject } from '@slipway/kube';
import { namespaceMark } from './chart-parts.js';

/** Shorter schemas are repeated. */
const sharedLengthMin = 300;

/**
 * CRDs as template text. Helm stores the chart and the rendered objects in one Secret of at most 1 MiB, which readable YAML of all
 * CRDs exceeds. They are therefore written as JSON, and schemas that occur several times, such as those of API versions, are named
 * templates.
 */
export class DefinitionTemplates {
  /** Number of occurrences by JSON text. */
  readonly #counts = new Map<string, number>();
  readonly #names = new Map<string, string>();
  readonly #bodies: string[] = [];

  constructor(definitions: readonly KubeObject[]) {
    for (const definition of definitions) this.#count(definition['spec']);
  }

  /** Returns one CRD. */
  text({ apiVersion, kind, metadata, ...rest }: KubeObject): string {
    const head = JSON.stringify({ apiVersion, kind, metadata }).slice(1, -1);
    return `{${head},"spec":${this.#write(rest['spec'], 1)}}\n`.replaceAll(namespaceMark, '{{ $namespace }}');
  }

  /** Returns the named templates. Call it after `text`. */
  helpers(): string {
    return this.#bodies.join('');
  }

  #count(value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (text.length >= sharedLengthMin) this.#counts.set(text, (this.#counts.get(text) ?? 0) + 1);
    for (const child of Object.values(value)) this.#count(child);
  }

  /** Writes a value. A part that occurs more often than the value that contains it becomes a shared template. */
  #write(value: unknown, around: number): string {
    if (typeof value !== 'object' || value === null) return escaped(JSON.stringify(value));
    const count = this.#counts.get(JSON.stringify(value)) ?? 1;
    return count > around ? `{{ include "${this.#share(value, count)}" $ }}` : this.#writeFields(value, around);
  }

  #writeFields(value: object, around: number): string {
    if (Array.isArray(value)) return `[${value.map((item: unknown) => this.#write(item, around)).join(',')}]`;
    const fields = Object.entries(value).filter(([, field]) => field !== undefined);
    return `{${fields.map(([key, field]) => `${escaped(JSON.stringify(key))}:${this.#write(field, around)}`).join(',')}}`;
  }

  #share(value: object, count: number): string {
    const text = JSON.stringify(value);
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    const name = `slipway.schema.${this.#names.size}`;
    this.#names.set(text, name);
    this.#bodies.push(`{{- define "${name}" -}}${this.#writeFields(value, count)}{{- end -}}\n`);
    return name;
  }
}

/** Returns JSON text in which Helm finds no template expressions: braces follow each other only inside of strings. */
function escaped(json: string): string {
  return json.replaceAll('{{', '{{ "{{" }}');
}
