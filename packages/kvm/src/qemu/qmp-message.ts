/** One line of QMP, from QEMU or from a guest agent. */
export interface QmpMessage {
  readonly isGreeting: boolean;
  readonly id?: number;
  readonly return?: unknown;
  readonly error?: { readonly class: string; readonly description: string };
  readonly event?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Parses a message. Returns undefined if it is invalid. Guests are untrusted, so every field is validated. */
export function parseQmpMessage(line: string): QmpMessage | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { id, event, data, error } = value;
  return {
    isGreeting: Object.hasOwn(value, 'QMP'),
    ...(typeof id === 'number' ? { id } : {}),
    ...(Object.hasOwn(value, 'return') ? { return: value['return'] } : {}),
    ...(error === undefined ? {} : { error: refusalOf(error) }),
    ...(typeof event === 'string' ? { event } : {}),
    ...(isRecord(data) ? { data } : {}),
  };
}

function refusalOf(error: unknown): { readonly class: string; readonly description: string } {
  const { class: kind, desc } = isRecord(error) ? error : {};
  return {
    class: typeof kind === 'string' ? kind : 'GenericError',
    description: typeof desc === 'string' ? desc : 'QEMU reported no description',
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
