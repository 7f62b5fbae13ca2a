import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { JsonObject, KubeObject } from '@slipway/kube';
import { bundleLabel, DriverError, type DriverName, operatorNamespace } from '../api/index.js';
import { shippedManifest } from '../manifests/index.js';
import { parseMatrix, shippedMatrixText } from '../matrix/index.js';
import { imagesIn, parseTemplate } from '../render/index.js';

/** A file of a bundle. */
export interface BundleFile {
  readonly name: string;
  readonly text: string;
}

type MatrixDocument = Record<string, unknown> & Record<'CSI' | 'CPI', Record<string, JsonObject>>;

/** Returns the files for an air-gapped cluster: the matrix, the templates and the list of images. */
export function makeBundle(desired: {
  readonly cpi?: readonly string[] | undefined;
  readonly csi?: readonly string[] | undefined;
}): BundleFile[] {
  const document = JSON.parse(shippedMatrixText()) as MatrixDocument;
  const templates: BundleFile[] = [];
  for (const [driver, section] of [
    ['cpi', 'CPI'],
    ['csi', 'CSI'],
  ] as const) {
    const versions = desired[driver] ?? Object.keys(document[section]);
    const kept = versions.map((version) => {
      const entry = document[section][version];
      if (entry === undefined)
        throw new DriverError(
          'PinnedVersionMissing',
          `${section} ${version} is not available. Available versions: ${Object.keys(document[section]).join(', ')}`,
        );
      const name = `${driver}/${version}.yaml`;
      const text = shippedManifest(name) ?? '';
      templates.push({ name, text });
      return [version, { ...entry, deploymentPath: [name], sha256: [digestOf(text)] }] as const;
    });
    document[section] = Object.fromEntries(kept);
  }
  const images = imagesIn(templates.flatMap(({ name, text }) => parseTemplate(text, name)));
  const files = [
    { name: 'matrix.json', text: `${JSON.stringify(document, undefined, 2)}\n` },
    ...templates,
    { name: 'images.txt', text: `${images.join('\n')}\n` },
  ];
  const sums = files.map(({ name, text }) => `${digestOf(text)}  ${name}`);
  return [...files, { name: 'checksums.txt', text: `${sums.join('\n')}\n` }];
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Throws if the checksum of any file differs. */
function checkBundle(files: readonly BundleFile[]): void {
  const sums = files.find(({ name }) => name === 'checksums.txt')?.text ?? '';
  const expected = new Map(sums.split('\n').map((line) => [line.slice(66), line.slice(0, 64)]));
  for (const { name, text } of files) {
    if (name === 'checksums.txt') continue;
    if (expected.get(name) !== digestOf(text))
      throw new DriverError('ChecksumMismatch', `checksum mismatch of ${name} in the bundle`);
  }
  if (!files.some(({ name }) => name === 'matrix.json'))
    throw new DriverError('MatrixInvalid', 'the bundle has no matrix.json');
}

/** Returns the bundle as objects: one ConfigMap for each compressed template, and a matrix that refers to them. */
export function bundleObjects(files: readonly BundleFile[]): {
  readonly objects: readonly KubeObject[];
  readonly matrix: string;
} {
  checkBundle(files);
  const textOf = (name: string): string => files.find((file) => file.name === name)?.text ?? '';
  const document = JSON.parse(textOf('matrix.json')) as MatrixDocument;
  const objects: KubeObject[] = [];
  for (const section of ['CPI', 'CSI'] as const) {
    for (const [version, entry] of Object.entries(document[section] ?? {})) {
      const paths = (entry['deploymentPath'] as readonly string[]).map((path, place) => {
        const name = `vdo-template-${section.toLowerCase()}-${version.toLowerCase().replace(/[^a-z0-9.-]/g, '-')}-${place}`;
        const packed = gzipSync(Buffer.from(textOf(path))).toString('base64');
        const metadata = { name, namespace: operatorNamespace, labels: { [bundleLabel]: '' } };
        objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata, binaryData: { 'template.yaml.gz': packed } });
        return `configmap://${operatorNamespace}/${name}/template.yaml`;
      });
      document[section][version] = { ...entry, deploymentPath: paths };
    }
  }
  const matrix = `${JSON.stringify(document)}\n`;
  parseMatrix(matrix);
  return { objects, matrix };
}

/** Returns the objects in the templates of a bundle by driver, from which the RBAC rules of the operator are derived. */
export function bundleTemplates(
  files: readonly BundleFile[],
): { readonly driver: DriverName; readonly templates: { source: string; text: string }[] }[] {
  return (['cpi', 'csi'] as const).flatMap((driver) => {
    const own = files.filter(({ name }) => name.startsWith(`${driver}/`));
    return own.map(({ name, text }) => ({ driver, templates: [{ source: name, text }] }));
  });
}
