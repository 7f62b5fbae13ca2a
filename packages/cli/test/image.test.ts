import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { slipway } from './support/command.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slipway-image-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it.each([
  {
    name: 'a directory without programs',
    version: 'v1.36.3',
    expected:
      /does not contain kubelet, kubeadm, containerd, containerd-shim-runc-v2, ctr, runc\n {2}→ copy them to that directory or to /,
  },
  {
    name: 'an invalid version',
    version: 'newest',
    expected: /newest is not a Kubernetes version\n {2}→ use a version such as v1\.36\.3/,
  },
])('slipway image prepare rejects $name with a remedy', async ({ version, expected }) => {
  const flags = ['--kubernetes-version', version, '--from', folder, '--data-dir', join(folder, 'data')];
  const { code, stderr } = await slipway('image', 'prepare', ...flags);
  expect(stderr).toMatch(expected);
  expect(code).toBe(1);
});

it('slipway image prepare requires a version', async () => {
  const { code, stderr } = await slipway('image', 'prepare', '--from', folder);
  expect(stderr).toContain("required option '--kubernetes-version <version>' not specified");
  expect(code).toBe(2);
});

/** Returns the images that manifests name as the image of a container or in a variable of OLM, with the defaults of template variables. */
function imagesIn(text: string): string[] {
  const withDefaults = text.replaceAll(/\$\{\w+:=([^}]*)\}/g, '$1');
  const named = /(?:\bimage: |RELATED_IMAGE_\w+"?\n\s+value: )"?([^\s"]+\/[^\s"]+)/g;
  return [...withDefaults.matchAll(named)].map(([, image = '']) => image).filter((image) => !image.includes('${'));
}

it('slipway image list lists every image in the files of the providers and the bundles of the drivers', async () => {
  expect(await slipway('release', '--out', join(folder, 'release'))).toMatchObject({ code: 0 });
  expect(await slipway('drivers', 'bundle', 'olm', join(folder, 'olm'))).toMatchObject({ code: 0 });
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const images = files.flatMap((name) => imagesIn(readFileSync(join(folder, name), 'utf8')));
  const { stdout } = await slipway('drivers', 'bundle', 'images');
  const expected = [...new Set([...images, ...stdout.trim().split('\n')])].toSorted();
  expect(expected.filter((image) => image.includes('slipway'))).toHaveLength(2);
  expect(expected.find((image) => image.includes('kube-vip'))).toBeDefined();
  expect((await slipway('image', 'list')).stdout.trim().split('\n')).toEqual(expected);
});
