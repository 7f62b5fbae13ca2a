import { describe, expect, it } from 'vitest';
import { renderTextTemplate, sprigFunctions } from '../index.js';

const data = {
  name: 'my-cluster',
  version: 'v1.35.2',
  replicas: 3,
  list: ['b', 'a', 'b'],
  proxy: { host: 'h', port: 3128, nested: { deep: 'yes' } },
  empty: '',
};
const render = (template: string): string => renderTextTemplate(template, data, sprigFunctions);

describe('sprig', () => {
  it.each([
    ['{{ trimPrefix "v" .version }}', '1.35.2'],
    ['{{ .version | trimPrefix "v" | replace "." "-" }}', '1-35-2'],
    ['{{ .name | upper | quote }}', '"MY-CLUSTER"'],
    ['{{ .name | trunc 5 }}|{{ .name | trunc -7 }}|{{ substr 3 10 .name }}', 'my-cl|cluster|cluster'],
    ['{{ default "x" .empty }}{{ default "x" .name }}{{ .none | default "y" }}', 'xmy-clustery'],
    ['{{ ternary "a" "b" (eq .replicas 3) }}', 'a'],
    ['{{ join "," (.list | uniq | sortAlpha) }}', 'a,b'],
    ['{{ (split "." "a.b")._1 }}', 'b'],
    ['{{ "a\\nb" | indent 2 }}{{ "c" | nindent 1 }}', '  a\n  b\n c'],
    ['{{ if has "a" .list }}yes{{ end }}', 'yes'],
    ['{{ .replicas | int }}{{ add 1 .replicas 2 }}{{ mul 2 3 }}{{ div 7 2 }}{{ mod 7 2 }}{{ max 1 5 2 }}', '366315'],
    ['{{ range until 3 }}{{ . }}{{ end }}', '012'],
    ['{{ get .proxy "host" }}{{ hasKey .proxy "port" }}{{ dig "nested" "deep" "no" .proxy }}', 'htrueyes'],
    ['{{ $d := dict "a" 1 "b" 2 }}{{ $_ := set $d "c" 3 }}{{ toJson $d }}', '{"a":1,"b":2,"c":3}'],
    ['{{ .proxy | toJson }}', '{"host":"h","nested":{"deep":"yes"},"port":3128}'],
    ['{{ (fromJson "{\\"a\\":[1]}").a }}', '[1]'],
    ['{{ "x" | b64enc }} {{ "eA==" | b64dec }}', 'eA== x'],
    ['{{ semverCompare ">= v1.24.0" .version }} {{ semverCompare "< 1.30" .version }}', 'true false'],
    ['{{ semverCompare ">= v1.24.0-0" "v1.36.0-rc.1" }} {{ semverCompare ">=1.24, <1.36" .version }}', 'true true'],
    ['{{ (semver .version).Minor }}', '35'],
    ['{{ regexMatch "^my-" .name }} {{ regexReplaceAll "(\\\\d+)" .version "<${1}>" }}', 'true v<1>.<35>.<2>'],
    ['{{ regexFind "[0-9]+" .version }} {{ regexSplit "-" .name -1 }}', '1 [my cluster]'],
    ['{{ first .list }}{{ last .list }}{{ len (rest .list) }}{{ concat .list (list "c") | len }}', 'bb24'],
    ['{{ merge (dict "a" 1) (dict "a" 2 "b" 3) | toJson }}', '{"a":1,"b":3}'],
    ['{{ mergeOverwrite (dict "a" 1) (dict "a" 2) | toJson }}', '{"a":2}'],
    ['{{ sha256sum "a" | trunc 8 }}', 'ca978112'],
    ['{{ kebabcase "MyName" }} {{ snakecase "MyName" }} {{ camelcase "my_name" }}', 'my-name my_name MyName'],
    [
      '{{ coalesce .empty .none "z" }} {{ empty .empty }} {{ typeOf .replicas }} {{ kindOf .list }}',
      'z true float64 slice',
    ],
    ['{{ round 3.14159 2 }} {{ floor 1.9 }} {{ ceil 1.1 }}', '3.14 1 2'],
  ])('renders %s', (template, expected) => {
    expect(render(template)).toBe(expected);
  });

  it.each([
    ['{{ fail "no" }}', 'error calling fail: no'],
    ['{{ upper 1 }}', 'expected string, got int'],
    ['{{ div 1 0 }}', 'divide by zero'],
    ['{{ repeat 10000000 "aaaaaaaa" }}', 'too large'],
    ['{{ until 1000000000 }}', 'more than 10000 numbers'],
    ['{{ indent 1000000000 "a" }}', 'too large'],
    ['{{ regexMatch "(" "a" }}', 'error calling regexMatch'],
    ['{{ semverCompare ">1" "x" }}', 'Invalid Semantic Version'],
    ['{{ env "HOME" }}', 'function "env" not defined'],
    ['{{ now }}', 'function "now" not defined'],
    ['{{ randAlpha 5 }}', 'function "randAlpha" not defined'],
    ['{{ getHostByName "x" }}', 'function "getHostByName" not defined'],
  ])('rejects %s', (template, message) => {
    expect(() => render(template)).toThrow(message);
  });

  it('evaluates a pathological pattern in linear time', () => {
    expect(render(`{{ regexMatch "^(a+)+$" "${'a'.repeat(5_000)}!" }}`)).toBe('false');
  });

  it('does not access prototypes by key', () => {
    expect(render('{{ $d := dict "__proto__" (dict "polluted" "yes") }}{{ $d.polluted }}')).toBe('<no value>');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
