import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readCredentialsFile } from './credentials-file.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-credentials-'));
const file = join(folder, 'credentials.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the credentials file of the manager', () => {
  it('is read again each time', async () => {
    writeFileSync(file, 'username: "admin"\npassword: first\n');
    expect(await readCredentialsFile(file)).toEqual({ username: 'admin', password: 'first' });
    writeFileSync(file, "username: 'admin'\npassword: 'sec\"ond'\n");
    expect(await readCredentialsFile(file)).toEqual({ username: 'admin', password: 'sec"ond' });
  });

  it('is optional', async () => {
    expect(await readCredentialsFile(join(folder, 'none'))).toBeUndefined();
  });

  it.each(['', 'username: admin\n', 'hunter2: [', '- hunter2\n'])(
    'is rejected as %j without its content in the error',
    async (text) => {
      writeFileSync(file, text);
      const problem = await readCredentialsFile(file).catch((error: unknown) => String(error));
      expect(problem).toContain('must have the keys username and password');
      expect(problem).not.toContain('hunter2');
    },
  );
});
