import { describe, expect, it } from 'vitest';
import { renderTextTemplate } from './index.js';

const data = { controlPlane: { version: 'v1.36.3' } };

describe('renderTextTemplate', () => {
  it.each([
    ['plain text', 'plain text'],
    ['{{ .controlPlane.version }}', 'v1.36.3'],
    ['{{.controlPlane.version}} and {{ $.controlPlane.version }}', 'v1.36.3 and v1.36.3'],
    ['a\n{{- /* gone */ -}}\nb', 'ab'],
    ['a {{- " b " -}} c', 'a b c'],
    ['{{ if .controlPlane }}known{{ else }}unknown{{ end }}', 'known'],
    ['{{ if .nothing }}a{{ else if eq .controlPlane.version "v1.36.3" "v1.35.0" }}b{{ else }}c{{ end }}', 'b'],
    ['{{ with .controlPlane }}{{ .version }}{{ end }}', 'v1.36.3'],
    ['{{ with .nothing }}a{{ else }}b{{ end }}', 'b'],
    ['{{ .controlPlane.version | printf "%s-%q" "x" }}', 'x-"v1.36.3"'],
    ['{{ if and .controlPlane (not .nothing) (or .nothing true) }}yes{{ end }}', 'yes'],
    ['{{ if lt .controlPlane.version "v1.37" }}older{{ end }}', 'older'],
    ['{{ len .controlPlane.version }} {{ index .controlPlane "version" }}', '7 v1.36.3'],
    ['{{ .nothing }}', '<no value>'],
    ['{{ .controlPlane }}', 'map[version:v1.36.3]'],
    ['{{ `{{ ds.meta_data.local_hostname }}` }}', '{{ ds.meta_data.local_hostname }}'],
    ['{{ "}}" }}', '}}'],
  ])('renders %s', (template, expected) => {
    expect(renderTextTemplate(template, data)).toBe(expected);
  });

  it.each([
    ['{{ .controlPlane', 'unclosed action'],
    ['{{ if .a }}', 'unexpected EOF: {{if}} without {{end}}'],
    ['{{ end }}', 'unexpected {{end}}'],
    ['{{ semver "1.2" }}', 'function "semver" not defined'],
    ['{{ .nothing.version }}', 'nil pointer evaluating interface {}.version'],
    ['{{ .controlPlane.version.major }}', "can't evaluate field major in type string"],
    ['{{ range .a }}{{ end }}', '{{range}} is not supported in files'],
    ['{{ }}', 'missing value for command'],
    ['{{ ( .a }}', 'unclosed left paren'],
    ['{{ .a ) }}', 'unexpected ")"'],
    ['{{ eq .a.b 1 }}', 'nil pointer'],
  ])('refuses %s', (template, message) => {
    expect(() => renderTextTemplate(template, data)).toThrow(message);
  });

  it('bounds depth and size', () => {
    expect(() => renderTextTemplate('{{ if 1 }}'.repeat(100), data)).toThrow('nested deeper');
    expect(() => renderTextTemplate(`{{ ${'('.repeat(5000)} }}`, data)).toThrow('nested deeper');
    expect(() => renderTextTemplate('a'.repeat(1_048_577), data)).toThrow('byte limit');
  });

  it('reaches nothing but the data', () => {
    expect(renderTextTemplate('{{ .constructor }}{{ .__proto__ }}', data)).toBe('<no value><no value>');
  });
});
