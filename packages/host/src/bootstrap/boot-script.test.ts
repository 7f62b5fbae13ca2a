import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { quote, seedFolder, seedOf } from './boot-script.js';
import { readCloudConfig } from './cloud-config.js';

describe('the bootstrap script of a machine', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'boot-script-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  /** Runs the script in a directory that takes the place of a machine's root. */
  function boot(cloudConfig: string): void {
    const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
    const data = cloudConfig.replaceAll('ROOT', root).replaceAll('OWNER', user);
    const seed = join(root, 'seed');
    mkdirSync(seed);
    for (const [name, content] of seedOf(readCloudConfig(`#cloud-config\n${data}`, {}))) {
      writeFileSync(join(seed, name), Buffer.from(content).toString('latin1').replaceAll(seedFolder, seed), 'latin1');
    }
    chmodSync(join(seed, 'bootstrap.sh'), 0o700);
    execFileSync('sh', [join(seed, 'bootstrap.sh')], { stdio: 'pipe' });
  }
  const text = (name: string): string => readFileSync(join(root, name), 'utf8');

  it('runs early commands, writes files, and runs commands, in this order', () => {
    boot(`
bootcmd: ['echo boot >> ROOT/order']
write_files: [{path: "ROOT/it's/a file", owner: OWNER, permissions: '0640', content: "x\\n"}]
runcmd:
  - cat "ROOT/it's/a file" >> ROOT/order
  - [sh, -c, 'echo "$0" >> ROOT/order', "a 'b' $c"]
`);
    expect(text('order')).toBe("boot\nx\na 'b' $c\n");
    expect(statSync(join(root, "it's/a file")).mode & 0o777).toBe(0o640);
  });

  it('appends to files, and continues after a command that failed', () => {
    boot(`
write_files:
  - {path: ROOT/a, owner: OWNER, content: one}
  - {path: ROOT/a, owner: OWNER, content: two, append: true}
runcmd: ['false', 'cd /nowhere && echo no > ROOT/never', 'echo last > ROOT/last']
`);
    expect(text('a')).toBe('onetwo');
    expect(text('last')).toBe('last\n');
    expect(() => text('never')).toThrow('ENOENT');
  });

  it('runs a shell script unchanged', () => {
    const seed = seedOf(readCloudConfig('#!/bin/bash\necho $BASH\n', {}));
    expect(Buffer.from(seed.get('runcmd') ?? []).toString()).toBe('#!/bin/bash\necho $BASH\n');
  });

  it('creates users without their passwords on a command line', () => {
    const seed = seedOf(
      readCloudConfig(
        "#cloud-config\nusers: [{name: ann, passwd: $6$hash, lock_passwd: false, sudo: 'ALL=(ALL) ALL', ssh_authorized_keys: [key]}]",
        {},
      ),
    );
    const script = Buffer.from(seed.get('bootstrap.sh') ?? []).toString();
    expect(script).toContain("useradd --create-home --shell '/bin/sh' --home-dir '/home/ann' ann");
    expect(script).toContain("chpasswd --encrypted <<'PASSWORD'\nann:$6$hash\nPASSWORD");
    expect(script).toContain(`${quote('ann ALL=(ALL) ALL')} >> /etc/sudoers.d/90-bootstrap`);
    expect(script).toContain("printf '%s\\n' 'key' >> '/home/ann/.ssh'/authorized_keys");
  });
});
