import { describe, expect, it } from 'vitest';
import { renderVmName } from './vm-name.js';

describe('renderVmName', () => {
  const machine = 'prod-md-0-7d5f8c9b6d-x2k4z';
  it.each([
    ['the name of the Machine', undefined, machine],
    ['plain text', 'fixed', 'fixed'],
    ['the variable', 'vm-{{ .machine.name }}', `vm-${machine}`],
    ['the head', '{{ .machine.name | trunc 7 }}', 'prod-md'],
    ['the tail', '{{ .machine.name | trunc -5 }}', 'x2k4z'],
    ['a trimmed suffix', '{{ trimSuffix "-x2k4z" .machine.name }}', 'prod-md-0-7d5f8c9b6d'],
  ])('renders %s', (_name, template, expected) => {
    expect(renderVmName(template, machine)).toBe(expected);
  });

  it('truncates long names without a hash, so names can collide [vsphere 32]', () => {
    const long = 'a'.repeat(70);
    expect(renderVmName('{{ .machine.name }}', `${long}-1`)).toBe(renderVmName('{{ .machine.name }}', `${long}-2`));
    expect(renderVmName('{{ .machine.name }}', long)).toHaveLength(63);
  });

  it.each([
    ['an unknown variable', '{{ .machine.uid }}', 'only .machine.name is supported'],
    ['an unknown function', '{{ upper .machine.name }}', 'upper'],
    ['an unclosed action', '{{ .machine.name', 'unclosed action'],
  ])('rejects %s', (_name, template, message) => {
    expect(() => renderVmName(template, machine)).toThrow(message);
  });
});
