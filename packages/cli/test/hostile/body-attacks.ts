import { flood, open, reviews, type Sent, stacks, start, type Target } from './target.js';

const json = { 'content-type': 'application/json' };
const yaml = { 'content-type': 'application/yaml' };
const mebibyte = 1_024 ** 2;

/** Opens requests whose bodies never end, `streams` on each of `clients` connections. */
function holdBodies(
  target: Target,
  { clients, streams, path, bytes }: { clients: number; streams: number; path: string; bytes: number },
): void {
  const part = Buffer.alloc(bytes, 0x20);
  for (let client = 0; client < clients; client += 1) {
    const session = open(target);
    for (let index = 0; index < streams; index += 1) {
      const stream = start(session, target, { method: 'POST', path, headers: json });
      stream?.resume();
      stream?.write(part);
    }
  }
}

function post(path: string, headers: Sent['headers'], body: string | Buffer): Sent {
  return { method: 'POST', path, headers, body };
}

function stack(name: string, spec: object): string {
  const meta = { apiVersion: 'hostile.example.com/v1', kind: 'Stack', metadata: { name } };
  return JSON.stringify({ ...meta, spec });
}

const items = Array.from({ length: 200_000 }, (_, index) => index % 10);
const ports = Array.from({ length: 30_000 }, (_, port) => ({ port, protocol: 'TCP' }));

/** About 575 KiB of YAML in an access review. Parsing it takes most of the time. */
function largeYaml(): string {
  const lines = ['apiVersion: authorization.k8s.io/v1', 'kind: SelfSubjectAccessReview', 'spec:', '  extra:'];
  for (let index = 0; lines.length < 24_000; index += 1) lines.push(`    key-${index}: [a, "b", c]`);
  return lines.join('\n');
}

function yamlBomb(): string {
  const levels = Array.from({ length: 30 }, (_, level) => {
    const alias = level === 0 ? 'x' : `*a${level - 1}`;
    return `a${level}: &a${level} [${Array.from({ length: 10 }, () => alias).join(', ')}]`;
  });
  return `apiVersion: v1\nkind: ConfigMap\n${levels.join('\n')}\n`;
}

const slice = (name: string, path: string): string => `${path}/${name}?fieldManager=hostile&force=true`;

export const bodyAttacks: Readonly<Record<string, (target: Target) => void | Promise<void>>> = {
  'one-byte bodies that never end': (target) =>
    holdBodies(target, { clients: 4, streams: 600, path: reviews, bytes: 1 }),
  'large bodies that never end': (target) =>
    holdBodies(target, { clients: 4, streams: 50, path: reviews, bytes: mebibyte }),
  'sign-in bodies that never end': (target) =>
    holdBodies(target, { clients: 4, streams: 50, path: '/console/api/sign-in', bytes: 2 * mebibyte }),
  'ten large YAML bodies at a time': (target) => {
    const body = largeYaml();
    return flood(target, { clients: 1, parallel: 10 }, () => post(reviews, yaml, body));
  },
  'YAML bombs': (target) => {
    const deep = `a: ${'['.repeat(100_000)}`;
    const bodies = [
      yamlBomb(),
      deep,
      `a: ${'{b: '.repeat(50_000)}`,
      '- '.repeat(200_000),
      `a: "${'\\u0041'.repeat(80_000)}"`,
    ];
    return flood(target, { clients: 2, parallel: 10 }, (index) => post(reviews, yaml, bodies[index % 5] ?? ''));
  },
  'deeply nested JSON': (target) => {
    const bodies = ['['.repeat(500_000), `{"a":${'{"a":'.repeat(200_000)}`];
    return flood(target, { clients: 2, parallel: 10 }, (index) => post(reviews, json, bodies[index % 2] ?? ''));
  },
  'lists of 200,000 items': (target) => {
    const body = stack('many-items', { items });
    const replaced = slice('many-items', stacks(target));
    return flood(target, { clients: 1, parallel: 10 }, (index) =>
      index % 2 === 0 ? post(stacks(target), json, body) : { method: 'PUT', path: replaced, headers: json, body },
    );
  },
  'apply of lists of 200,000 items': (target) => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = stack('applied-items', { items });
    const path = slice('applied-items', stacks(target));
    return flood(target, { clients: 1, parallel: 10 }, () => ({ method: 'PATCH', path, headers, body }));
  },
  'apply of lists of 30,000 keyed items': (target) => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = stack('applied-ports', { ports });
    const path = slice('applied-ports', stacks(target));
    return flood(target, { clients: 1, parallel: 10 }, () => ({ method: 'PATCH', path, headers, body }));
  },
  'apply of lists of 15,000 keyed items': (target) => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const body = stack('some-ports', { ports: ports.slice(0, 15_000) });
    const path = slice('some-ports', stacks(target));
    return flood(target, { clients: 1, parallel: 10 }, () => ({ method: 'PATCH', path, headers, body }));
  },
  'small patches of a large object': (target) => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = stack('large', { ports: ports.slice(0, 15_000) });
    const path = slice('large', stacks(target));
    return flood(target, { clients: 1, parallel: 10 }, (index) =>
      index === 1
        ? post(stacks(target), json, body)
        : { method: 'PATCH', path, headers, body: JSON.stringify({ spec: { note: `${index}` } }) },
    );
  },
  'bodies of 1,500,000 values': (target) => {
    const body = stack('values', { items: Array.from({ length: 1_500_000 }, () => 1) });
    return flood(target, { clients: 1, parallel: 10 }, () => post(stacks(target), json, body));
  },
  'large objects as YAML': (target) => {
    const body = stack('as-yaml', { items });
    return flood(target, { clients: 1, parallel: 10 }, (index) =>
      index === 1
        ? post(stacks(target), json, body)
        : { path: `${stacks(target)}/as-yaml`, headers: { accept: 'application/yaml' } },
    );
  },
  'patches of 10,000 operations': (target) => {
    const operations = Array.from({ length: 10_000 }, (_, index) =>
      index === 0
        ? { op: 'add', path: '/spec', value: { items: items.slice(0, 2_000) } }
        : { op: 'copy', from: '/spec/items', path: `/spec/copy-${index}` },
    );
    const body = JSON.stringify(operations);
    const headers = { 'content-type': 'application/json-patch+json' };
    const path = `${stacks(target)}/patched`;
    return flood(target, { clients: 1, parallel: 10 }, (index) =>
      index === 1 ? post(stacks(target), json, stack('patched', {})) : { method: 'PATCH', path, headers, body },
    );
  },
};
