import { describe, expect, it } from 'vitest';
import { hasRandomPart, NameTemplateError, renderNameTemplate } from './name-template.js';

const values = { cluster: { name: 'c' }, machineSet: { name: 'ms' }, random: 'abcde' };

describe('renderNameTemplate', () => {
  const rows = [
    { template: '{{ .machineSet.name }}-{{ .random }}', name: 'ms-abcde' },
    { template: '{{.cluster.name}}-{{- .random -}}', name: 'c-abcde' },
    { template: 'plain', name: 'plain' },
  ];
  it.each(rows)('renders $template', ({ template, name }) => {
    expect(renderNameTemplate(template, values)).toBe(name);
  });

  const wrong = [
    '{{ .unknown }}',
    '{{ .cluster }}',
    '{{ .cluster.name.more }}',
    '{{ printf "x" }}',
    '{{ .constructor }}',
  ];
  it.each(wrong)('rejects %s', (template) => {
    expect(() => renderNameTemplate(template, values)).toThrow(NameTemplateError);
  });

  it('takes linear time for malicious input', () => {
    expect(() => renderNameTemplate('{{ '.repeat(500_000), values)).toThrow('unclosed action');
  });
});

it('detects the random part', () => {
  expect(hasRandomPart('a-{{.random}}')).toBe(true);
  expect(hasRandomPart('a-{{ .name }}')).toBe(false);
});
