import { context as otelContext, ProxyTracerProvider, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import type { ObjectKey } from '../client/index.js';
import type { Outcome } from './outcome.js';

/** Runs a reconcile in a span, which is the parent of all spans and requests of the reconcile. */
export function traced(
  tracer: Tracer,
  facts: { readonly controller: string; readonly kind: string; readonly key: ObjectKey },
  work: () => Promise<Outcome>,
): () => Promise<Outcome> {
  return async () => {
    const span = tracer.startSpan(`reconcile ${facts.controller}`, {
      attributes: {
        'slipway.controller': facts.controller,
        'k8s.object.kind': facts.kind,
        'k8s.namespace.name': facts.key.namespace,
        'k8s.object.name': facts.key.name,
      },
    });
    try {
      const outcome = await otelContext.with(trace.setSpan(otelContext.active(), span), work);
      span.setAttribute('slipway.outcome', outcome.type);
      if (outcome.type === 'retry' || outcome.type === 'terminal') {
        span.recordException(outcome.error);
        span.setStatus({ code: SpanStatusCode.ERROR, message: outcome.error.message });
      }
      return outcome;
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  };
}

export interface FoundTracer {
  readonly tracer: Tracer;
  /** Whether an SDK is registered in this process. Without one, spans are dropped. */
  readonly registered: boolean;
}

/** Returns the tracer of the process if OpenTelemetry is configured: an `OTEL_…` variable is set, and not to `none`. */
export function tracerFromEnvironment(env: Readonly<Record<string, string | undefined>>): FoundTracer | undefined {
  const isConfigured = Object.entries(env).some(([name, value]) => name.startsWith('OTEL_') && (value ?? '') !== '');
  if (!isConfigured || env['OTEL_SDK_DISABLED'] === 'true' || env['OTEL_TRACES_EXPORTER'] === 'none') return undefined;
  const provider = trace.getTracerProvider();
  const registered = !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('slipway') !== undefined;
  return { tracer: trace.getTracer('slipway'), registered };
}
