import { type Span, trace, type Tracer, type TracerProvider } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import { done, type Outcome, retry } from '../controller/index.js';
import { traced, tracerFromEnvironment } from './tracing.js';

function recordingTracer(): { tracer: Tracer; spans: Record<string, unknown>[] } {
  const spans: Record<string, unknown>[] = [];
  const tracer = {
    startSpan(name: string, options: { attributes: object }) {
      const record: Record<string, unknown> = { name, ...options.attributes };
      spans.push(record);
      const span = {
        setAttribute: (key: string, value: unknown) => void (record[key] = value),
        recordException: (error: Error) => void (record['exception'] = error.message),
        setStatus: ({ code }: { code: number }) => void (record['status'] = code),
        end: () => void (record['ended'] = true),
      };
      return span as unknown as Span;
    },
  };
  return { tracer: tracer as unknown as Tracer, spans };
}

const facts = { controller: 'machine', kind: 'Machine', key: { namespace: 'ns', name: 'm' } };
const common = {
  name: 'reconcile machine',
  'slipway.controller': 'machine',
  'k8s.object.kind': 'Machine',
  ended: true,
};

describe('traced', () => {
  const rows: { name: string; work: () => Promise<Outcome>; then: object }[] = [
    { name: 'a success', work: async () => done(), then: { 'slipway.outcome': 'done' } },
    {
      name: 'a returned failure',
      work: async () => retry(new Error('x')),
      then: { 'slipway.outcome': 'retry', exception: 'x', status: 2 },
    },
    {
      name: 'a thrown failure',
      work: () => Promise.reject(new Error('y')),
      then: { exception: 'y', status: 2 },
    },
  ];
  it.each(rows)('records $name', async ({ work, then }) => {
    const { tracer, spans } = recordingTracer();
    await traced(tracer, facts, work)().catch(() => undefined);
    expect(spans).toEqual([expect.objectContaining({ ...common, ...then })]);
  });
});

describe('the tracer of the environment', () => {
  afterEach(() => trace.disable());

  it.each([
    { env: {}, then: undefined },
    { env: { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, then: undefined },
    { env: { OTEL_SERVICE_NAME: 'x', OTEL_SDK_DISABLED: 'true' }, then: undefined },
    { env: { OTEL_TRACES_EXPORTER: 'none' }, then: undefined },
    { env: { OTEL_TRACES_EXPORTER: 'otlp' }, then: false },
  ])('depends on the environment: $env', ({ env, then }) => {
    expect(tracerFromEnvironment(env)?.registered).toBe(then);
  });

  it('returns the tracer of the registered SDK', () => {
    const { tracer, spans } = recordingTracer();
    trace.setGlobalTracerProvider({ getTracer: () => tracer } as TracerProvider);
    const found = tracerFromEnvironment({ OTEL_SERVICE_NAME: 'slipway' });
    expect(found?.registered).toBe(true);
    found?.tracer.startSpan('one', { attributes: {} }).end();
    expect(spans).toEqual([{ name: 'one', ended: true }]);
  });
});
