import { describe, expect, it } from 'vitest';
import { findingsIn, proseOf, textsInCode } from './language.js';

describe('wording rules', () => {
  const code = [
    '// Nobody may write here.',
    'export const help = `Checks ${1} that is there`;',
    "export const ok = 'There is no control plane Machine';",
    '',
  ].join('\n');

  it('finds comments and strings with their lines', () => {
    const texts = textsInCode('packages/x/src/y.ts', code);
    expect(findingsIn(texts).map(({ kind, line }) => `${kind} ${line}`)).toEqual(['comment 1', 'message 2']);
  });

  it('reads pages without their code', () => {
    const page = '# Title\n\nRun `nobody` now.\n\n```sh\necho nobody\n```\n\nNobody waits.\n';
    expect(findingsIn(proseOf('docs/x.md', page)).map(({ line }) => line)).toEqual([9]);
  });

  it('applies the rules for messages to strings of tests only if they also apply to titles', () => {
    const texts = textsInCode('packages/x/src/y.test.ts', "it('says what it looks at', () => {});\n");
    expect(findingsIn(texts)).toEqual([]);
  });
});
