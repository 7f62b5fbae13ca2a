import { describe, expect, it } from 'vitest';
import { renderTextTemplate } from './index.js';

const data = {
  controlPlane: { version: 'v1.36.3' },
  list: ['a', 'b', 'c'],
  map: { y: 2, x: 1 },
  many: 1_000_000,
};

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
    ['{{ range .list }}<{{ . }}>{{ end }}', '<a><b><c>'],
    ['{{ range $i, $x := .list }}{{ if $i }}, {{ end }}{{ $i }}={{ $x }}{{ end }}', '0=a, 1=b, 2=c'],
    ['{{ range $key, $value := .map }}{{ $key }}{{ $value }}{{ end }}', 'x1y2'],
    ['{{ range .nothing }}a{{ else }}none{{ end }}', 'none'],
    ['{{ range .list }}{{ if eq . "b" }}{{ break }}{{ end }}{{ . }}{{ end }}', 'a'],
    ['{{ range .list }}{{ if eq . "b" }}{{ continue }}{{ end }}{{ . }}{{ end }}', 'ac'],
    ['{{ range 3 }}{{ . }}{{ end }}', '012'],
    ['{{ $x := "a" }}{{ if true }}{{ $x = "b" }}{{ end }}{{ $x }}', 'b'],
    ['{{ $x := "a" }}{{ if true }}{{ $x := "b" }}{{ $x }}{{ end }}{{ $x }}', 'ba'],
    ['{{ with $x := .controlPlane }}{{ $x.version }}{{ $.many }}{{ end }}', 'v1.36.31e+06'],
    ['{{ (index .list 0) }}', 'a'],
    ['{{ and .nothing .nothing.more }}', '<no value>'],
    ['{{ slice "abcdef" 1 3 }}', 'bc'],
    ['{{ printf "%05d|%-4s|%4s|%.2f|%x|%v" 42 "ab" "cd" 1.5 "hi" .list }}', '00042|ab  |  cd|1.50|6869|[a b c]'],
    ['{{ 10 }} {{ -3 }} {{ 0x10 }} {{ 1.5 }}', '10 -3 16 1.5'],
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
    ['{{ define "a" }}{{ end }}', '{{define}} is not supported'],
    ['{{ break }}', '{{break}} outside {{range}}'],
    ['{{ $x }}', 'undefined variable "$x"'],
    ['{{ $x = 1 }}', 'undefined variable "$x"'],
    ['{{ range 1.5 }}{{ end }}', "range can't iterate over 1.5"],
    ['{{ index .list 7 }}', 'index out of range'],
    ['{{ printf "%c" 1 }}', '%c is not supported'],
    ['{{ 12ab }}', 'bad number syntax'],
    ['{{ }}', 'missing value for command'],
    ['{{ or .nothing .nothing.more }}', 'nil pointer'],
    ['{{ (with .map) }}', 'function "with" not defined'],
    ['{{ ( .a }}', 'unclosed left paren'],
    ['{{ .a ) }}', 'unexpected ")"'],
    ['{{ eq .a.b 1 }}', 'nil pointer'],
  ])('rejects %s', (template, message) => {
    expect(() => renderTextTemplate(template, data)).toThrow(message);
  });

  it('limits depth and size', () => {
    expect(() => renderTextTemplate('{{ if 1 }}'.repeat(100), data)).toThrow('nested deeper');
    expect(() => renderTextTemplate(`{{ ${'('.repeat(5000)} }}`, data)).toThrow('nested deeper');
    expect(() => renderTextTemplate('a'.repeat(1_048_577), data)).toThrow('byte limit');
    const loops = '{{ range 1000 }}{{ range 1000 }}{{ range 1000 }}{{ end }}{{ end }}{{ end }}';
    expect(() => renderTextTemplate(loops, data)).toThrow('more than 100000 steps');
  });

  it('accesses only the data', () => {
    expect(renderTextTemplate('{{ .constructor }}{{ .__proto__ }}', data)).toBe('<no value><no value>');
  });
});
