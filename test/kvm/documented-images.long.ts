import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentedCommands } from '../../scripts/documented-commands/documented-commands.js';
import { installedPrograms } from '../../packages/cli/test/support/installed.js';
import { peerBinary } from '../support/peer-process.js';
import { runCommand } from '../support/run-command.js';

const buildMs = 40 * 60_000;
const commands = new Set(
  documentedCommands().flatMap(({ command }) => (command.startsWith('slipway image build --name ') ? [command] : [])),
);

// Runs in `npm run e2e:kvm`: a build installs packages from Debian's archive, which takes minutes.
describe('documented builds of node images, in an empty home', () => {
  let home: string;
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'slipway-images-'));
    for (const name of ['kubeadm', 'kubelet']) symlinkSync(peerBinary(name), join(home, name));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([...commands])(
    '%s',
    async (command) => {
      const env = { HOME: home, XDG_DATA_HOME: undefined, PATH: `${installedPrograms}:${process.env['PATH'] ?? ''}` };
      const { code, stdout, stderr } = await runCommand('bash', ['-c', command], { env, cwd: home });
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stdout).toMatch(/image debian\S* is ready for spec\.image\.name/);
    },
    buildMs,
  );
});
