import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StatusError } from '../errors/index.js';
import type { JsonObject } from '../json/index.js';
import { wholeNode } from './compare.js';
import { belowNode, difference, type FieldSet } from './field-set.js';
import { formatFieldPaths } from './field-path.js';
import { rootFieldType } from './field-type.js';
import { sameExceptManagedFieldTimes } from './no-op.js';
import { widget, WidgetServer, widgetSchema } from './testing/widget.js';

const type = rootFieldType(widgetSchema);
const text = fc.constantFrom('1', '2', 'a<b');
const names = ['a', 'b', 'c', '__proto__', 'constructor'];
const tags = fc.dictionary(fc.constantFrom(...names), text, { noNullPrototype: true });
const untyped = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<unknown>('x', 1, true, 9_007_199_254_740_993n),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const items = fc.uniqueArray(
  fc.record({ name: fc.constantFrom('a', 'b', 'c'), v: text, w: text }, { requiredKeys: ['name'] }),
  { selector: ({ name }) => name },
);
const ports = fc.uniqueArray(
  fc.record({ port: fc.constantFrom(80, 443), protocol: fc.constantFrom('TCP', 'UDP') }, { requiredKeys: ['port'] }),
  { selector: ({ port, protocol }) => `${port}${protocol ?? 'TCP'}` },
);
const specs = fc
  .record(
    {
      color: text,
      port: fc.constantFrom<string | number>(1, '1'),
      door: fc.record({ width: text, lock: fc.record({ key: text }, { requiredKeys: [] }) }, { requiredKeys: [] }),
      tags,
      rooms: fc.dictionary(fc.constantFrom('a', 'b'), fc.record({ area: text }, { requiredKeys: [] }), {
        noNullPrototype: true,
      }),
      point: fc.record({ x: text, y: text }, { requiredKeys: [] }),
      words: fc.uniqueArray(fc.constantFrom('a', 'b', 'c')),
      lines: fc.array(text, { maxLength: 2 }),
      items,
      ports,
      free: fc.dictionary(fc.constantFrom(...names), untyped, { maxKeys: 3, noNullPrototype: true }),
    },
    { requiredKeys: [] },
  )
  .map((spec) => spec as unknown as JsonObject);

interface Step {
  readonly verb: 'apply' | 'update';
  readonly manager: string;
  readonly force: boolean;
  readonly spec: JsonObject;
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    verb: fc.constantFrom<'apply' | 'update'>('apply', 'update'),
    manager: fc.constantFrom('m1', 'm2', 'm3'),
    force: fc.boolean(),
    spec: specs,
  }),
  { minLength: 1, maxLength: 6 },
);

async function run(server: WidgetServer, { verb, manager, force, spec }: Step): Promise<void> {
  try {
    if (verb === 'apply') await server.apply(manager, widget(spec), { force });
    else await server.update(manager, widget(spec));
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 409) throw error;
  }
}

describe('any sequence of writes', () => {
  it('results in owner sets without absent paths', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const server = new WidgetServer();
        for (const step of all) {
          await run(server, step);
          if (server.live === undefined) continue;
          const present = belowNode(wholeNode(server.live, type));
          for (const { fieldsV1 } of server.entries) {
            expect(formatFieldPaths(difference(fieldsV1 as unknown as FieldSet, present))).toEqual([]);
          }
        }
      }),
    );
  });

  it('makes the next apply idempotent', async () => {
    await fc.assert(
      fc.asyncProperty(steps, specs, async (all, spec) => {
        const server = new WidgetServer();
        for (const step of all) await run(server, step);
        const first = await server.apply('me', widget(spec), { force: true });
        const second = await server.apply('me', widget(spec));
        expect(sameExceptManagedFieldTimes(first, second)).toBe(true);
        expect(JSON.stringify(second, exact)).toBe(JSON.stringify(first, exact));
      }),
    );
  });

  it('keeps an applied value in place and owned by its applier', async () => {
    await fc.assert(
      fc.asyncProperty(steps, specs, async (all, spec) => {
        const server = new WidgetServer();
        for (const step of all) await run(server, step);
        await server.apply('me', widget(spec), { force: true });
        const live = (server.live?.['spec'] ?? {}) as JsonObject;
        expect(live).toMatchObject({ ...pick(spec, 'color'), ...pick(spec, 'lines') });
        expect(live['words'] ?? []).toEqual(expect.arrayContaining((spec['words'] ?? []) as unknown[]));
      }),
    );
  });
});

describe('two appliers', () => {
  it('have the same result in any order on disjoint fields', async () => {
    const prefixed = (spec: JsonObject, prefix: string): JsonObject => ({
      tags: rename((spec['tags'] ?? {}) as JsonObject, prefix),
      free: rename((spec['free'] ?? {}) as JsonObject, prefix),
    });
    await fc.assert(
      fc.asyncProperty(specs, specs, async (left, right) => {
        const configs = [widget(prefixed(left, 'l-')), widget(prefixed(right, 'r-'))] as const;
        const [one, two] = [new WidgetServer(), new WidgetServer()];
        await one.apply('left', configs[0]);
        await one.apply('right', configs[1]);
        await two.apply('right', configs[1]);
        await two.apply('left', configs[0]);
        expect(one.live?.['spec']).toEqual(two.live?.['spec']);
        expect(one.claims).toEqual(two.claims);
      }),
    );
  });
});

function rename(map: JsonObject, prefix: string): JsonObject {
  return Object.fromEntries(Object.entries(map).map(([name, value]) => [prefix + name, value])) as JsonObject;
}

function pick(map: JsonObject, name: string): JsonObject {
  return map[name] === undefined ? {} : { [name]: map[name] };
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
