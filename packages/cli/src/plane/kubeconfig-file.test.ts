import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { mergeKubeconfig } from './kubeconfig-file.js';

const named = (name: string, value: string): object => ({ name, value });
const config = (entries: readonly object[], current: string): string =>
  JSON.stringify({
    kind: 'Config',
    clusters: entries,
    contexts: entries,
    users: entries,
    'current-context': current,
  });

it.each([
  { name: 'replaces an empty file', present: ' \n', expected: [named('slipway', 'new')] },
  {
    name: 'keeps other clusters',
    present: config([named('a', '1')], 'a'),
    expected: [named('a', '1'), named('slipway', 'new')],
  },
  {
    name: 'replaces its own entries',
    present: config([named('slipway', 'old')], 'x'),
    expected: [named('slipway', 'new')],
  },
  {
    name: 'accepts lists that are null',
    present: 'kind: Config\nclusters: null\n',
    expected: [named('slipway', 'new')],
  },
])('mergeKubeconfig $name', ({ present, expected }) => {
  const merged = parse(mergeKubeconfig('config', present, config([named('slipway', 'new')], 'slipway'))) as object;
  expect(merged).toEqual({
    kind: 'Config',
    clusters: expected,
    contexts: expected,
    users: expected,
    'current-context': 'slipway',
  });
});

// YAML 1.1, which kubectl reads, does not parse these names as strings.
it.each(['on', '1_000', '12:30'])('mergeKubeconfig keeps the name %j a string', (name) => {
  const merged = mergeKubeconfig('config', config([named(name, 'x')], name), config([], 'slipway'));
  expect(parse(merged, { version: '1.1' })).toMatchObject({ users: [{ name, value: 'x' }] });
});

it.each(['just text', 'kind: Pod', ': : :', '[]'])('mergeKubeconfig rejects the file content %j', (present) => {
  expect(() => mergeKubeconfig('config', present, config([], ''))).toThrow('is not a kubeconfig');
});
