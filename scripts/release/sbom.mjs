// Writes the software bill of materials of each artifact as SPDX 2.3.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const own = { license: 'Apache-2.0' };

/** Returns the npm packages whose code an artifact contains. */
export function npmPackages(thirdPartyFile) {
  return JSON.parse(readFileSync(thirdPartyFile, 'utf8')).map(({ name, version, license }) => ({
    name,
    version,
    license,
    locator: `pkg:npm/${name.replace(/^@/, '%40')}@${version}`,
  }));
}

/** Returns Debian packages for the list, with the licenses of their copyright files. */
export function debianPackages(packages) {
  const byName = new Map(packages.map((each) => [each.name, each]));
  return [...byName.values()].map(({ name, version, architecture, homepage }) => ({
    name,
    version,
    homepage,
    license: 'NOASSERTION',
    comment: copyrightLicenses(name),
    locator: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`,
  }));
}

/** The running Node.js, which executables contain. */
export function nodePackage() {
  const version = process.versions.node;
  const homepage = 'https://nodejs.org';
  return { name: 'node', version, homepage, license: 'MIT', locator: `pkg:generic/node@${version}` };
}

/**
 * Returns the licenses that a Debian package declares. They are free text that does not use SPDX names, so
 * they are written as a comment.
 */
function copyrightLicenses(name) {
  const file = `/usr/share/doc/${name}/copyright`;
  if (!existsSync(file)) return undefined;
  const licenses = [...readFileSync(file, 'utf8').matchAll(/^License: *(\S.*)$/gm)].map(([, license]) =>
    license.trim(),
  );
  return licenses.length === 0 ? undefined : `Debian copyright file: ${[...new Set(licenses)].join('; ')}`;
}

/** Writes `<artifact>.spdx.json` beside an artifact and returns its path. The same artifact gives the same bytes. */
export function writeSbom(artifact, { version, packages }) {
  const content = readFileSync(artifact);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const name = basename(artifact);
  const artifactId = 'SPDXRef-Artifact';
  const listed = [...packages].sort((left, right) => (left.locator < right.locator ? -1 : 1));
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name,
    documentNamespace: `https://spdx.org/spdxdocs/${name}-${sha256}`,
    // A fixed time, so that the document depends on the content only.
    creationInfo: { created: '1970-01-01T00:00:00Z', creators: [`Tool: slipway-release-${version}`] },
    packages: [
      {
        ...entry({ name: 'slipway', version, ...own, locator: `pkg:generic/slipway@${version}` }, artifactId),
        packageFileName: name,
        checksums: [{ algorithm: 'SHA256', checksumValue: sha256 }],
      },
      ...listed.map((each, index) => entry(each, `SPDXRef-Package-${index + 1}`)),
    ],
    relationships: [
      { spdxElementId: 'SPDXRef-DOCUMENT', relationshipType: 'DESCRIBES', relatedSpdxElement: artifactId },
      ...listed.map((_, index) => ({
        spdxElementId: artifactId,
        relationshipType: 'CONTAINS',
        relatedSpdxElement: `SPDXRef-Package-${index + 1}`,
      })),
    ],
  };
  const file = `${artifact}.spdx.json`;
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
  return file;
}

function entry({ name, version, license, homepage, comment, locator }, id) {
  return {
    SPDXID: id,
    name,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: isExpression(license) ? license : 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    ...(homepage !== undefined && homepage !== '' && { homepage }),
    ...(comment !== undefined && { licenseComments: comment }),
    externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: locator }],
  };
}

/** Whether a text can be an SPDX license expression: npm packages may have other texts. */
function isExpression(license) {
  return (
    typeof license === 'string' && /^\(?[A-Za-z\d.+-]+(?: (?:AND|OR|WITH) \(?[A-Za-z\d.+-]+\)?)*\)?$/.test(license)
  );
}
