import { ExtensionError } from './extension-error.js';
import { hooksApiVersion, type RuntimeHook } from './runtime-hooks.js';

export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  /** PEM, encoded in base64. */
  readonly caBundle?: string;
}

/** Returns the URL of a hook. Discovery has no handler name. */
export function extensionUrl(config: ClientConfig, hook: RuntimeHook, handler = ''): URL {
  const base = baseUrl(config);
  const parts = [base.pathname, hooksApiVersion, hook.toLowerCase(), handler.toLowerCase()];
  base.pathname = parts
    .map((part) => part.replace(/^\/+|\/+$/g, ''))
    .filter((part) => part !== '')
    .join('/');
  return base;
}

function baseUrl({ url, service }: ClientConfig): URL {
  if (service !== undefined) {
    const port = service.port === undefined ? '' : `:${service.port}`;
    return new URL(service.path ?? '/', `https://${service.name}.${service.namespace}.svc${port}`);
  }
  if (url === undefined) {
    throw invalid('failed to compute URL: at least one of service and url should be defined in config');
  }
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) throw invalid('failed to compute URL: failed to parse url from clientConfig');
  if (parsed.protocol !== 'https:') {
    throw invalid(`failed to compute URL: expected https scheme, got ${parsed.protocol.slice(0, -1)}`);
  }
  return parsed;
}

function invalid(message: string): ExtensionError {
  return new ExtensionError('InvalidConfiguration', message);
}
