// Describes the public surface of a library as text: every exported name with its signature, from the emitted declarations.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Longer declarations are inferred schemas of kinds. docs/reference/api describes those; here a checksum shows that one changed. */
const linesMax = 60;

/** Returns the report of a library, as describeLibraries() and compileLibraries() leave it. */
export function apiReport({ name, entryPoints, compiled }) {
  const sections = entryPoints.map(({ path, types }) => {
    const exported = [...exportsOf(join(compiled, types))].sort(([a], [b]) => (a < b ? -1 : 1));
    const blocks = exported.map(([as, text]) => `### ${as}\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
    return `## @slipway/${name}${path.slice(1)}\n\n${blocks.join('\n')}`;
  });
  return `# API report of @slipway/${name}

Every exported name with its type. Generated from the type declarations by \`npm run api-reports\`; do not edit it.

${sections.join('\n')}`;
}

/** Returns the declarations that a file exports, by name. */
function exportsOf(file) {
  const found = new Map();
  for (const node of parsed(file).program.body) {
    if (node.type !== 'ExportNamedDeclaration') continue;
    for (const { local, exported } of node.specifiers) {
      const text =
        node.source === null ? ownOrImported(file, local.name) : declarationIn(file, node.source, local.name);
      found.set(exported.name, text);
    }
    for (const [name, text] of declarationsOf(node.declaration, node, file)) addOverload(found, name, text);
  }
  return found;
}

/** Returns the declaration of a name that another module exports. Libraries refer to each other by name only. */
function declarationIn(file, source, name) {
  if (!source.value.startsWith('.')) return `export { ${name} } from '${source.value}';`;
  const target = resolve(dirname(file), source.value.replace(/\.js$/, '.d.ts'));
  return exportsOf(target).get(name) ?? missing(name, target);
}

/** Returns the declaration of a name in a list of exports: the file declares it without exporting it, or imports it. */
function ownOrImported(file, name) {
  const own = new Map();
  for (const node of parsed(file).program.body) {
    if (node.type === 'ImportDeclaration') {
      const imported = node.specifiers.find(({ local }) => local.name === name);
      if (imported !== undefined) return declarationIn(file, node.source, imported.imported.name);
    }
    for (const [declared, text] of declarationsOf(node, node, file)) addOverload(own, declared, text);
  }
  return own.get(name) ?? missing(name, file);
}

/** Adds a declaration. Overloads of a function are several declarations with one name. */
function addOverload(found, name, text) {
  found.set(name, found.has(name) ? `${found.get(name)}\n${text}` : text);
}

function declarationsOf(declaration, node, file) {
  return declaredNames(declaration).map((name) => [name, condensed(withoutComments(node, file))]);
}

const programs = new Map();

function parsed(file) {
  let result = programs.get(file);
  if (result === undefined) {
    const source = readFileSync(file, 'utf8');
    const { program, comments } = parseSync(file, source);
    programs.set(file, (result = { program, comments, source }));
  }
  return result;
}

function missing(name, file) {
  throw new Error(`${file} does not declare ${name}`);
}

function declaredNames(declaration) {
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id.name);
  return typeof declaration?.id?.name === 'string' ? [declaration.id.name] : [];
}

function withoutComments({ start, end }, file) {
  const { source, comments } = parsed(file);
  let text = '';
  let at = start;
  for (const comment of comments) {
    if (comment.start < start || comment.end > end) continue;
    text += source.slice(at, comment.start);
    at = comment.end;
  }
  text += source.slice(at, end);
  const lines = text.split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}

function condensed(text) {
  const lines = text.split('\n');
  if (lines.length <= linesMax) return text;
  const checksum = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return `${lines[0]}\n  // ${lines.length} lines, SHA-256 ${checksum}`;
}
