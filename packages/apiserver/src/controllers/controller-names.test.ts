import { describe, expect, it } from 'vitest';
import { controllerNames, parseControllers } from './controller-names.js';

describe('parsing a list of controllers', () => {
  const rows = [
    { text: 'none', names: [] },
    { text: '*', names: [...controllerNames] },
    { text: 'namespace-controller', names: ['namespace-controller'] },
    {
      text: 'namespace-controller, garbage-collector-controller',
      names: ['namespace-controller', 'garbage-collector-controller'],
    },
    { text: '*,-namespace-controller', names: controllerNames.filter((name) => name !== 'namespace-controller') },
  ];
  it.each(rows)('returns the controllers of $text', ({ text, names }) => {
    expect([...parseControllers(text)].sort()).toEqual([...names].sort());
  });

  it('rejects an unknown name and lists the known ones', () => {
    expect(() => parseControllers('namespace')).toThrow(/unknown controller "namespace".*namespace-controller/);
  });
});
